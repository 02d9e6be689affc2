{{/* Whether the executor may remove: "true", or nothing. Refuses settings that want more than the rights. */}}
{{- define "ovn-steward.acts" -}}
{{- $executor := dig "executor" dict .Values.settings -}}
{{- $modes := append (values (get $executor "rules" | default dict)) (get $executor "mode" | default "observe") -}}
{{- $wanted := gt (len (without $modes "observe")) 0 -}}
{{- if and $wanted (eq .Values.rights.executor "never") -}}
{{- fail "settings.executor lets a rule remove something, but rights.executor is never: set it to auto, or the modes to observe." -}}
{{- end -}}
{{- if or (eq .Values.rights.executor "always") (and $wanted (eq .Values.rights.executor "auto")) -}}
true
{{- end -}}
{{- end }}

{{/* Whether the executor itself guards: "true", or nothing. */}}
{{- define "ovn-steward.executorGuards" -}}
{{- $guard := dig "executor" "guard" dict .Values.settings -}}
{{- if or (get $guard "vpcFinalizer") (get $guard "podGates") -}}
{{- if not (include "ovn-steward.acts" .) -}}
{{- fail "settings.executor.guard writes to the cluster, for which the executor has no rights: set rights.executor to always, or guard.vpcs and guard.pods in the place of these settings." -}}
{{- end -}}
true
{{- end -}}
{{- end }}

{{/* Whether the guard runs as a workload of its own: "true", or nothing. */}}
{{- define "ovn-steward.guards" -}}
{{- if or .Values.guard.vpcs .Values.guard.pods -}}true{{- end -}}
{{- end }}

{{/* Whether a workload reads the living systems, OVN and Kubernetes. Takes a dict: root, component. */}}
{{- define "ovn-steward.readsSystems" -}}
{{- if or (has .component (list "embedded" "collector" "guard")) (and (eq .component "executor") (include "ovn-steward.acts" .root)) -}}
true
{{- end -}}
{{- end }}

{{/* Whether those who ask over HTTP must prove who they are: "true", or nothing. */}}
{{- define "ovn-steward.login" -}}
{{- if ne (dig "http" "auth" "by" "off" .Values.settings) "off" -}}true{{- end -}}
{{- end }}

{{/* Whether a workload writes Events, for a sink of that type: "true", or nothing. Takes a dict: root, component. */}}
{{- define "ovn-steward.writesEvents" -}}
{{- if include "ovn-steward.notifies" . -}}
{{- range $_, $sink := dig "notify" "sinks" dict .root.Values.settings -}}
{{- if eq $sink.type "kubernetes-events" -}}true{{- break -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end }}

{{/* Whether a workload asks the API server anything. Takes a dict: root, component. */}}
{{- define "ovn-steward.asksApiServer" -}}
{{- if or (include "ovn-steward.readsSystems" .) (include "ovn-steward.writesEvents" .) (and (include "ovn-steward.login" .root) (not (has .component (list "guard" "test")))) -}}
true
{{- end -}}
{{- end }}

{{/* Refuses what would fail, or do less than it says, once it runs. */}}
{{- define "ovn-steward.validate" -}}
{{- $acts := include "ovn-steward.acts" . -}}
{{- $executorGuards := include "ovn-steward.executorGuards" . -}}
{{- if and .Values.rights.pods (not $acts) (not .Values.guard.pods) -}}
{{- fail "rights.pods is for an executor that may remove, or for guard.pods, and neither is on." -}}
{{- end -}}
{{- if and (or .Values.guard.pods (dig "executor" "guard" "podGates" false .Values.settings)) (not .Values.rights.pods) -}}
{{- fail "To lift gates of pods is to patch them: set rights.pods to true." -}}
{{- end -}}
{{- if and $acts (eq .Values.mode "kafka") (dig "signing" "required" true .Values.settings) -}}
{{- if not (and .Values.signing.secretName .Values.signing.trustedKeysConfigMap) -}}
{{- fail "An executor that may remove things on Kafka acts only on signed records: set signing.secretName and signing.trustedKeysConfigMap (docs/signing.md), or settings.signing.required to false." -}}
{{- end -}}
{{- end -}}
{{- if and .Values.backup.enabled (eq .Values.mode "kafka") (not $acts) -}}
{{- fail "backup.enabled: in mode kafka an executor without rights to remove reads no Northbound, so it takes no backups. Set rights.executor to always." -}}
{{- end -}}
{{- if and (dig "kafka" "brokers" list .Values.settings) (eq .Values.mode "embedded") -}}
{{- fail "settings.kafka.brokers is for mode kafka, and mode is embedded." -}}
{{- end -}}
{{- if and (include "ovn-steward.login" .) (not .Values.http.tlsSecret) (not (dig "http" "auth" "plaintext" false .Values.settings)) -}}
{{- fail "With a login tokens come in over HTTP: set http.tlsSecret, or settings.http.auth.plaintext to true where a mesh encrypts." -}}
{{- end -}}
{{- if and .Values.http.decisionsSecret (not (include "ovn-steward.login" .)) -}}
{{- fail "http.decisionsSecret is for people who decide over HTTP, who need a login: set settings.http.auth.by." -}}
{{- end -}}
{{- if and .Values.pod.hostNetwork (eq .Values.mode "kafka") -}}
{{- fail "pod.hostNetwork is for mode embedded: in mode kafka pods of several services would want the same ports of one node." -}}
{{- end -}}
{{- if and .Values.pod.hostNetwork (not (include "ovn-steward.login" .)) -}}
{{- fail "With pod.hostNetwork port 9470 of the node is open to all who reach the node: set settings.http.auth.by, so that they must log in." -}}
{{- end -}}
{{- $sinks := include "ovn-steward.sinks" . -}}
{{- if and .Values.metrics.serviceMonitor.enabled .Values.metrics.podMonitor.enabled -}}
{{- fail "metrics.serviceMonitor and metrics.podMonitor would scrape all twice: set one of them." -}}
{{- end -}}
{{- end }}
