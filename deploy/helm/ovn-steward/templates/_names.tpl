{{/* What all names begin with; deploy/rbac.yaml has the same names where the release is called ovn-steward. */}}
{{- define "ovn-steward.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride }}
{{- else if contains "ovn-steward" .Release.Name -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- else -}}
{{ printf "%s-ovn-steward" (.Release.Name | trunc 28 | trimSuffix "-") }}
{{- end -}}
{{- end }}

{{/* The workloads of the mode that serve HTTP. */}}
{{- define "ovn-steward.components" -}}
{{- if eq .Values.mode "embedded" -}}
embedded
{{- else -}}
collector analyzer executor{{ if include "ovn-steward.notifies" (dict "root" . "component" "notifier") }} notifier{{ end }}
{{- end -}}
{{- end }}

{{/* The name of a workload, and of what belongs to it. Takes a dict: root, component. */}}
{{- define "ovn-steward.workload" -}}
{{- if eq .component "embedded" -}}
{{ include "ovn-steward.fullname" .root }}
{{- else -}}
{{ include "ovn-steward.fullname" .root }}-{{ .component }}
{{- end -}}
{{- end }}

{{/* The account of a workload. One that only reads has another than one that may remove. */}}
{{- define "ovn-steward.account" -}}
{{- $name := include "ovn-steward.fullname" .root -}}
{{- if eq .component "collector" -}}
{{ $name }}
{{- else if eq .component "embedded" -}}
{{ include "ovn-steward.acts" .root | eq "true" | ternary (printf "%s-executor" $name) $name }}
{{- else -}}
{{ $name }}-{{ .component }}
{{- end -}}
{{- end }}

{{- define "ovn-steward.selector" -}}
app.kubernetes.io/name: {{ .Values.nameOverride | default "ovn-steward" }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* Labels of everything. */}}
{{- define "ovn-steward.labels" -}}
{{ include "ovn-steward.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/part-of: ovn-steward
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version | replace "+" "_" }}
{{- with .Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* Name, namespace and labels. Takes a dict: root, name, component where it belongs to one, and namespace where it is another. */}}
{{- define "ovn-steward.metadata" -}}
name: {{ .name }}
namespace: {{ .namespace | default .root.Release.Namespace }}
labels:
  {{- include "ovn-steward.labels" .root | nindent 2 }}
  {{- with .component }}
  app.kubernetes.io/component: {{ . }}
  {{- end }}
{{- end }}

{{/* The same of what lies in no namespace. */}}
{{- define "ovn-steward.clusterMetadata" -}}
name: {{ .name }}
labels:
  {{- include "ovn-steward.labels" .root | nindent 2 }}
{{- end }}

{{/* Takes a dict: root, component. The command line is both the program of mode embedded and the guard. */}}
{{- define "ovn-steward.image" -}}
{{- $image := .root.Values.image -}}
{{- $program := has .component (list "embedded" "guard" "test") | ternary "steward" .component -}}
{{ with $image.registry }}{{ . }}/{{ end }}{{ $image.repository }}/{{ $program }}{{ with get $image.digests $program }}@{{ . }}{{ else }}:{{ $image.tag | default .root.Chart.AppVersion }}{{ end }}
{{- end }}
