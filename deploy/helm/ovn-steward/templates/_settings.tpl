{{/*
The file of settings of a workload: what the values say, without what is not its business, with the places of what is mounted.
Takes a dict: root, component.
*/}}
{{- define "ovn-steward.settings" -}}
{{- $settings := omit (deepCopy .root.Values.settings) "ovnNb" "ovnSb" "kafka" "notify" -}}
{{- if include "ovn-steward.notifies" . -}}
{{- $_ := set $settings "notify" (dict "sinks" (include "ovn-steward.sinks" .root | fromYaml)) -}}
{{- end -}}
{{- if include "ovn-steward.readsSystems" . -}}
{{- $_ := set $settings "ovnNb" (include "ovn-steward.ovnNb" .root | fromYaml) -}}
{{- end -}}
{{- with include "ovn-steward.southboundOf" . -}}
{{- $_ := set $settings "ovnSb" (include "ovn-steward.ovnDatabase" (dict "root" $.root "own" (dig "ovnSb" dict $.root.Values.settings) "remote" .) | fromYaml) -}}
{{- end -}}
{{- if and (eq .root.Values.mode "kafka") (ne .component "guard") -}}
{{- $_ := set $settings "kafka" (include "ovn-steward.kafkaSettings" . | fromYaml) -}}
{{- end -}}
{{- if include "ovn-steward.verifies" . -}}
{{- $signing := dict -}}
{{- if and .root.Values.signing.secretName (include "ovn-steward.signs" .) -}}
{{- $_ := set $signing "keyFile" "/etc/ovn-steward/signing/key.pem" -}}
{{- end -}}
{{- if .root.Values.signing.trustedKeysConfigMap -}}
{{- $_ := set $signing "trustedKeys" "/etc/ovn-steward/trusted-keys" -}}
{{- end -}}
{{- if $signing -}}
{{- $_ := set $settings "signing" (merge $signing (get $settings "signing" | default dict)) -}}
{{- end -}}
{{- end -}}
{{- if eq .component "guard" -}}
{{- $settings = omit $settings "http" -}}
{{- else -}}
{{- $http := dict -}}
{{- if .root.Values.http.tlsSecret -}}
{{- $_ := set $http "tls" (dict "certificate" "/etc/ovn-steward/http/tls.crt" "privateKey" "/etc/ovn-steward/http/tls.key") -}}
{{- end -}}
{{- if and .root.Values.http.oidcCaConfigMap (include "ovn-steward.login" .root) -}}
{{- $_ := set $http "auth" (dict "oidc" (dict "caCertificate" "/etc/ovn-steward/oidc-ca/ca.crt")) -}}
{{- end -}}
{{- if include "ovn-steward.decides" . -}}
{{- $_ := set $http "decisions" (dict "keyFile" "/etc/ovn-steward/decisions/key.pem") -}}
{{- end -}}
{{- if $http -}}
{{- $_ := set $settings "http" (merge $http (get $settings "http" | default dict)) -}}
{{- end -}}
{{- end -}}
{{- if include "ovn-steward.backsUp" . -}}
{{- $_ := set $settings "backup" (merge (dict "folder" "/var/backups/ovn/northbound") (get $settings "backup" | default dict)) -}}
{{- end -}}
{{ toYaml $settings }}
{{- end }}

{{/* Whether a workload verifies who decided: the executor, and the analyzer, which suppresses findings. "true", or nothing. */}}
{{- define "ovn-steward.verifies" -}}
{{- if has .component (list "embedded" "executor" "analyzer") -}}true{{- end -}}
{{- end }}

{{/* Whether a workload has the executor in it, which signs: "true", or nothing. */}}
{{- define "ovn-steward.signs" -}}
{{- if has .component (list "embedded" "executor") -}}true{{- end -}}
{{- end }}

{{/* Whether a workload signs what people decide over HTTP: "true", or nothing. */}}
{{- define "ovn-steward.decides" -}}
{{- if and .root.Values.http.decisionsSecret (eq .component "executor") -}}true{{- end -}}
{{- end }}

{{/* Whether a workload takes backups: "true", or nothing. */}}
{{- define "ovn-steward.backsUp" -}}
{{- if and .root.Values.backup.enabled (include "ovn-steward.signs" .) -}}true{{- end -}}
{{- end }}
