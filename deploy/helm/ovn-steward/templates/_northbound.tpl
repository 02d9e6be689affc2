{{/* Whether the Northbound is reached by TLS: "true", or nothing. Without a remote it is what Kube-OVN's controller does; helm template sees no cluster. */}}
{{- define "ovn-steward.ovnTls" -}}
{{- $remote := dig "ovnNb" "remote" "" .Values.settings -}}
{{- $use := .Values.ovnTls.use -}}
{{- if $remote -}}
{{- $ssl := contains "ssl:" $remote -}}
{{- if or (and $ssl (eq $use "never")) (and (not $ssl) (eq $use "always")) -}}
{{- fail (printf "ovnTls.use is %s, but settings.ovnNb.remote is %s" $use $remote) -}}
{{- end -}}
{{- if $ssl }}true{{ end -}}
{{- else if eq $use "always" -}}
true
{{- else if eq $use "auto" -}}
{{- $controller := lookup "apps/v1" "Deployment" .Values.kubeOvn.namespace .Values.kubeOvn.controller -}}
{{- $tls := false -}}
{{- range dig "spec" "template" "spec" "containers" list $controller -}}
{{- range .env -}}
{{- $tls = or $tls (and (eq .name "ENABLE_SSL") (eq (.value | default "") "true")) -}}
{{- end -}}
{{- end -}}
{{- if $tls }}true{{ end -}}
{{- end -}}
{{- end }}

{{/* ssl: or tcp:, and the Service of Kube-OVN's leader. */}}
{{- define "ovn-steward.remote" -}}
{{- $remote := dig "ovnNb" "remote" "" .Values.settings -}}
{{- if $remote -}}
{{ $remote }}
{{- else -}}
{{- $northbound := .Values.kubeOvn.northbound -}}
{{ include "ovn-steward.ovnTls" . | eq "true" | ternary "ssl" "tcp" }}:{{ $northbound.service }}.{{ .Values.kubeOvn.namespace }}.svc:{{ $northbound.port }}
{{- end -}}
{{- end }}

{{/* Whether Kube-OVN's Secret is copied, since pods can mount only those of their namespace: "true", or nothing. */}}
{{- define "ovn-steward.copiesOvnSecret" -}}
{{- if and (include "ovn-steward.ovnTls" .) (not .Values.ovnTls.secretName) (not .Values.ovnTls.issuer.name) (ne .Release.Namespace .Values.kubeOvn.namespace) -}}
true
{{- end -}}
{{- end }}

{{/* The Secret with the three files. */}}
{{- define "ovn-steward.ovnSecret" -}}
{{- if .Values.ovnTls.secretName -}}
{{ .Values.ovnTls.secretName }}
{{- else if .Values.ovnTls.issuer.name -}}
{{ include "ovn-steward.fullname" . }}-ovn-client
{{- else if include "ovn-steward.copiesOvnSecret" . -}}
{{ include "ovn-steward.fullname" . }}-kube-ovn-tls
{{- else -}}
kube-ovn-tls
{{- end -}}
{{- end }}

{{/* The keys of the three files in it, as a dict: those of cert-manager where it makes the Secret. */}}
{{- define "ovn-steward.ovnKeys" -}}
{{- if and .Values.ovnTls.issuer.name (not .Values.ovnTls.secretName) -}}
{{ dict "ca" "ca.crt" "certificate" "tls.crt" "privateKey" "tls.key" | toYaml }}
{{- else -}}
{{ .Values.ovnTls.keys | toYaml }}
{{- end -}}
{{- end }}

{{/* The settings ovnNb of a workload that reads OVN. */}}
{{- define "ovn-steward.ovnNb" -}}
{{ include "ovn-steward.ovnDatabase" (dict "root" . "own" (dig "ovnNb" dict .Values.settings) "remote" (include "ovn-steward.remote" .)) }}
{{- end }}

{{/* The settings of one OVN database, with the places of the mounted files. Takes a dict: root, own (its settings), remote. */}}
{{- define "ovn-steward.ovnDatabase" -}}
{{- $made := dict "remote" .remote -}}
{{- if include "ovn-steward.ovnTls" .root -}}
{{- range $setting, $file := dict "caCertificate" "ca.pem" "certificate" "cert.pem" "privateKey" "key.pem" -}}
{{- $_ := set $made $setting (printf "/etc/ovn-steward/ovn/%s" $file) -}}
{{- end -}}
{{- $serverName := .root.Values.ovnTls.serverName -}}
{{- if and $serverName (not (hasKey .own "serverName")) (not (hasKey .own "verifyName")) -}}
{{- $_ := set $made "serverName" $serverName -}}
{{- end -}}
{{- end -}}
{{ merge $made .own | toYaml }}
{{- end }}

{{/* Where the Southbound is; nothing where it is not read. */}}
{{- define "ovn-steward.southbound" -}}
{{- $remote := dig "ovnSb" "remote" "" .Values.settings -}}
{{- $southbound := .Values.kubeOvn.southbound -}}
{{- $tls := include "ovn-steward.ovnTls" . -}}
{{- if $remote -}}
{{- if ne (contains "ssl:" $remote | toString) (eq $tls "true" | toString) -}}
{{- fail (printf "settings.ovnSb.remote is %s, and the Northbound is reached %s TLS: reach both the same way, since they share the certificates of ovnTls" $remote (eq $tls "true" | ternary "by" "without")) -}}
{{- end -}}
{{ $remote }}
{{- else if $southbound.read -}}
{{ eq $tls "true" | ternary "ssl" "tcp" }}:{{ $southbound.service }}.{{ .Values.kubeOvn.namespace }}.svc:{{ $southbound.port }}
{{- end -}}
{{- end }}

{{/* Where the Southbound is, for a workload that reads it; nothing for another. Takes a dict: root, component. */}}
{{- define "ovn-steward.southboundOf" -}}
{{- if has .component (list "embedded" "collector") -}}
{{ include "ovn-steward.southbound" .root }}
{{- end -}}
{{- end }}
