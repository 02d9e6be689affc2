{{/* Of every pod: who it is, where it may stand, what it may not. Takes a dict: root, component, account, token (a boolean). */}}
{{- define "ovn-steward.podHead" -}}
serviceAccountName: {{ .account }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: {{ .token }}
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.pod }}
{{- $hostNetwork := and .hostNetwork (ne $.component "test") }}
{{- if $hostNetwork }}
hostNetwork: true
{{- end }}
{{- with .dnsPolicy | default ($hostNetwork | ternary "ClusterFirstWithHostNet" "") }}
dnsPolicy: {{ . }}
{{- end }}
{{- with .dnsConfig }}
dnsConfig:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .runtimeClassName }}
runtimeClassName: {{ . }}
{{- end }}
terminationGracePeriodSeconds: {{ .terminationGracePeriodSeconds }}
{{- with .priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
{{- end }}

{{- define "ovn-steward.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- end }}

{{/* Labels of a pod. Takes a dict: root, component. */}}
{{- define "ovn-steward.podLabels" -}}
{{- with .root.Values.pod.labels }}
{{- toYaml . }}
{{ end -}}
{{ include "ovn-steward.labels" .root }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{/* What a pod has mounted beside its state. Takes a dict: root, component. */}}
{{- define "ovn-steward.volumes" -}}
- name: settings
  configMap:
    name: {{ include "ovn-steward.workload" . }}
- name: tmp
  emptyDir:
    sizeLimit: 64Mi
{{- if and (include "ovn-steward.readsSystems" .) (include "ovn-steward.ovnTls" .root) }}
{{- $keys := include "ovn-steward.ovnKeys" .root | fromYaml }}
- name: ovn
  secret:
    secretName: {{ include "ovn-steward.ovnSecret" .root }}
    defaultMode: 0440
    items:
      - { key: {{ $keys.ca }}, path: ca.pem }
      - { key: {{ $keys.certificate }}, path: cert.pem }
      - { key: {{ $keys.privateKey }}, path: key.pem }
{{- end }}
{{- if and (eq .root.Values.mode "kafka") (ne .component "guard") }}
{{- with include "ovn-steward.kafkaCaSecret" .root }}
- name: kafka-ca
  secret:
    secretName: {{ . }}
    items:
      - { key: {{ $.root.Values.kafka.tls.caSecret.key }}, path: ca.pem }
{{- end }}
{{- if ne .root.Values.kafka.authentication "none" }}
- name: kafka
  secret:
    secretName: {{ include "ovn-steward.kafkaSecret" . }}
    defaultMode: 0440
    items:
      {{- if eq .root.Values.kafka.authentication "tls" }}
      {{- $keys := include "ovn-steward.kafkaIssued" . | eq "true" | ternary (dict "certificate" "tls.crt" "privateKey" "tls.key") .root.Values.kafka.certificateKeys }}
      - { key: {{ $keys.certificate }}, path: cert.pem }
      - { key: {{ $keys.privateKey }}, path: key.pem }
      {{- else }}
      - { key: {{ .root.Values.kafka.passwordKey }}, path: password }
      {{- end }}
{{- end }}
{{- end }}
{{- if include "ovn-steward.signs" . }}
{{- with .root.Values.signing.secretName }}
- name: signing
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items:
      - { key: {{ $.root.Values.signing.key }}, path: key.pem }
{{- end }}
{{- end }}
{{- if ne .component "guard" }}
{{- with .root.Values.http.tlsSecret }}
- name: http
  secret:
    secretName: {{ . }}
    defaultMode: 0440
    items:
      - { key: tls.crt, path: tls.crt }
      - { key: tls.key, path: tls.key }
{{- end }}
{{- if include "ovn-steward.login" .root }}
{{- with .root.Values.http.oidcCaConfigMap }}
- name: oidc-ca
  configMap:
    name: {{ . }}
{{- end }}
{{- end }}
{{- if include "ovn-steward.decides" . }}
- name: decisions
  secret:
    secretName: {{ .root.Values.http.decisionsSecret }}
    defaultMode: 0440
    items:
      - { key: key.pem, path: key.pem }
{{- end }}
{{- end }}
{{- if and (include "ovn-steward.notifies" .) .root.Values.notifier.secrets }}
- name: sinks
  projected:
    defaultMode: 0440
    sources:
      {{- range $sink, $secret := .root.Values.notifier.secrets }}
      - secret:
          name: {{ $secret.name }}
          items:
            {{- with $secret.urlKey }}
            - { key: {{ . }}, path: {{ $sink }}/url }
            {{- end }}
            {{- with $secret.tokenKey }}
            - { key: {{ . }}, path: {{ $sink }}/token }
            {{- end }}
      {{- end }}
{{- end }}
{{- if include "ovn-steward.verifies" . }}
{{- with .root.Values.signing.trustedKeysConfigMap }}
- name: trusted-keys
  configMap:
    name: {{ . }}
{{- end }}
{{- end }}
{{- end }}

{{/* The mounts of these volumes. */}}
{{- define "ovn-steward.mounts" -}}
- { name: settings, mountPath: /etc/ovn-steward/settings, readOnly: true }
- { name: tmp, mountPath: /tmp }
{{- range include "ovn-steward.volumes" . | fromYamlArray }}
{{- if not (has .name (list "settings" "tmp")) }}
- { name: {{ .name }}, mountPath: /etc/ovn-steward/{{ .name }}, readOnly: true }
{{- end }}
{{- end }}
{{- end }}
