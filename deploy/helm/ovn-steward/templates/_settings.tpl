{{/*
The file of settings of a workload: what the values say, without what is not its business, with the places of what is mounted.
Takes a dict: root, component.
*/}}
{{- define "ovn-steward.settings" -}}
{{- $settings := omit (deepCopy .root.Values.settings) "ovnNb" "kafka" -}}
{{- if include "ovn-steward.readsSystems" . -}}
{{- $_ := set $settings "ovnNb" (include "ovn-steward.ovnNb" .root | fromYaml) -}}
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

{{/* Whether a workload takes backups: "true", or nothing. */}}
{{- define "ovn-steward.backsUp" -}}
{{- if and .root.Values.backup.enabled (include "ovn-steward.signs" .) -}}true{{- end -}}
{{- end }}
