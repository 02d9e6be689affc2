#!/usr/bin/env node
// Generated from apps/steward/src/wait/main.ts and what it imports by `npm run generate`; do not edit. Needs Node 20 or newer, and nothing else.

// apps/steward/src/wait/main.ts
var import_node_util = require("node:util");

// libs/shared/src/errors.ts
var RETRY = {
  "input-not-found": "never",
  "input-unreadable": "never",
  "input-truncated": "never",
  "input-not-a-database": "never",
  "input-foreign-schema": "never",
  "input-not-a-dump": "never",
  "config-invalid": "never",
  "address-invalid": "never",
  "source-unreachable": "later",
  "source-refused": "later",
  "source-certificate": "later",
  "source-forbidden": "later",
  "source-not-served": "later",
  "source-expired": "now",
  "source-broken": "later",
  "object-malformed": "later",
  "log-topic-drift": "never",
  "log-locked": "later",
  "log-full": "later",
  "log-corrupt": "never",
  "log-unavailable": "later",
  "log-closed": "never",
  "log-topic-unknown": "never",
  "log-position-lost": "never",
  "log-partition-lost": "later",
  "log-forbidden": "later",
  "log-record-refused": "never",
  "state-corrupt": "never",
  "leadership-lost": "later",
  "outcome-unknown": "later",
  "on-hold": "later",
  fenced: "later",
  "other-cluster": "later",
  "plan-invalid": "never",
  "plan-altered": "never",
  "plan-foreign": "never",
  "plan-stale": "never",
  "plan-unripe": "later",
  "plan-unstated": "never",
  "uninstall-refused": "never",
  "undo-impossible": "never",
  "give-up-refused": "never",
  "backup-invalid": "never",
  "restore-refused": "never",
  "guard-refused": "never",
  "listen-failed": "never",
  "output-unwritable": "never",
  "access-unauthenticated": "never",
  "access-forbidden": "never",
  "stop-overdue": "never"
};
var Failure = class extends Error {
  constructor(code, message, options) {
    super(message, options);
    this.code = code;
  }
  code;
  name = "Failure";
  get retry() {
    return RETRY[this.code];
  }
};
var retryOf = (error, otherwise) => error instanceof Failure ? error.retry : otherwise;
var messageOf = (error) => error instanceof Error ? error.message : String(error);

// libs/judgement/src/readiness/pod-waits-for.ts
var import_node_net = require("node:net");

// libs/judgement/src/kube-ovn/namespace-subnets.ts
var SUBNET_ANNOTATION = "ovn.kubernetes.io/logical_switch";
var namesIn = (list) => (list ?? "").split(",").filter((it) => it !== "");

// libs/judgement/src/readiness/part-of.ts
var partOf = (document, ...path) => path.reduce(
  (part, key) => typeof part === "object" && part !== null && !Array.isArray(part) ? part[key] : void 0,
  document
);
function textPartOf(document, ...path) {
  const part = partOf(document, ...path);
  return typeof part === "string" && part !== "" ? part : void 0;
}
function entriesOf(document, ...path) {
  const part = partOf(document, ...path);
  return Array.isArray(part) ? part : [];
}

// libs/judgement/src/readiness/subnet-waits-for.ts
var CONDITIONS = ["Validated", "Ready"];
function subnetWaitsFor({ name, subnet, vpc, namespace }) {
  if (subnet === void 0) return [`Subnet ${name} to be made`, ...boundWaitsFor(name, namespace)];
  const deleted = textPartOf(subnet, "metadata", "deletionTimestamp");
  if (deleted !== void 0)
    return [`Subnet ${name} to be recreated: its deletion began at ${deleted}`];
  const conditions = CONDITIONS.flatMap((it) => conditionWaitsFor(name, it, subnet));
  return [...conditions, ...vpcWaitsFor(name, subnet, vpc), ...boundWaitsFor(name, namespace)];
}
function vpcNameOf(subnet) {
  return isOvnProvider(providerOf(subnet)) ? textPartOf(subnet, "spec", "vpc") : void 0;
}
var providerOf = (subnet) => textPartOf(subnet, "spec", "provider") ?? "ovn";
var isOvnProvider = (provider) => provider === "ovn" || provider.split(".").length === 3 && provider.endsWith(".ovn");
var boundSubnets = (namespace) => new Set(namesIn(textPartOf(namespace, "metadata", "annotations", SUBNET_ANNOTATION)));
function conditionWaitsFor(name, type, subnet) {
  const condition = entriesOf(subnet, "status", "conditions").find(
    (it) => textPartOf(it, "type") === type
  );
  if (condition === void 0)
    return [`Kube-OVN to look at Subnet ${name}: it has no condition ${type} yet`];
  if (textPartOf(condition, "status") === "True") return [];
  const why = [textPartOf(condition, "reason"), textPartOf(condition, "message")].filter((it) => it !== void 0).join(": ");
  return [
    `condition ${type} of Subnet ${name} to be True: it is ${textPartOf(condition, "status") ?? "not said"}${why === "" ? "" : ` (${why})`}`
  ];
}
function vpcWaitsFor(name, subnet, vpc) {
  if (!isOvnProvider(providerOf(subnet))) return [];
  const desired = vpcNameOf(subnet);
  if (desired === void 0) return [`Kube-OVN to put Subnet ${name} into a Vpc`];
  if (vpc === void 0) return [`Vpc ${desired}, which Subnet ${name} names, to be made`];
  const deleted = textPartOf(vpc, "metadata", "deletionTimestamp");
  return deleted === void 0 ? [] : [`Vpc ${desired} to be recreated: its deletion began at ${deleted}`];
}
function boundWaitsFor(name, namespace) {
  if (namespace === void 0) return [];
  if (namespace.object === void 0) return [`Namespace ${namespace.name} to be made`];
  const bound = boundSubnets(namespace.object);
  if (bound.has(name)) return [];
  return [
    `Kube-OVN to bind Namespace ${namespace.name} to Subnet ${name}: it is bound to ${bound.size === 0 ? "none" : [...bound].join(", ")}`
  ];
}

// libs/judgement/src/readiness/pod-waits-for.ts
var SUFFIX = ".kubernetes.io/allocated";
function podWaitsFor({ subnetName, subnet, podName, pod }) {
  if (subnet === void 0) return [`Subnet ${subnetName} to be made`];
  if (pod === void 0) return [`Pod ${podName} to be made`];
  const deleted = textPartOf(pod, "metadata", "deletionTimestamp");
  if (deleted !== void 0)
    return [`Pod ${podName} to be recreated: its deletion began at ${deleted}`];
  const networks = networksOf(pod, providerOf(subnet));
  if (networks.length === 0) return [`Kube-OVN to give Pod ${podName} an address`];
  const wrong = networks.map((it) => misfit(it, subnetName, subnet));
  return wrong.includes(void 0) ? [] : [`Pod ${podName} to have an address of Subnet ${subnetName}: ${wrong.join("; ")}`];
}
function networksOf(pod, provider) {
  const annotations = partOf(pod, "metadata", "annotations");
  const providers = Object.entries(annotations ?? {}).filter(([key, value]) => key.endsWith(SUFFIX) && value === "true").map(([key]) => key.slice(0, -SUFFIX.length)).filter((it) => it === provider || provider !== "ovn" && it.startsWith(`${provider}.`));
  return providers.map((prefix) => ({
    provider: prefix,
    logicalSwitch: textPartOf(annotations, `${prefix}${SUBNET_ANNOTATION.slice("ovn".length)}`),
    addresses: (textPartOf(annotations, `${prefix}.kubernetes.io/ip_address`) ?? "").split(",").filter((address) => address !== "")
  }));
}
function misfit({ provider, logicalSwitch, addresses }, name, subnet) {
  if (logicalSwitch === void 0 ? isOvnProvider(providerOf(subnet)) : logicalSwitch !== name)
    return `its ${provider} network is ${logicalSwitch ?? "not said"}`;
  if (addresses.length === 0) return `its ${provider} network has no address yet`;
  const inside = networkOf(textPartOf(subnet, "spec", "cidrBlock") ?? "");
  const outside = addresses.filter((it) => !inside(it));
  return outside.length === 0 ? void 0 : `its ${provider} address ${outside.join(", ")} is not in ${textPartOf(subnet, "spec", "cidrBlock") ?? "its CIDR, which is not said"}`;
}
function networkOf(cidrs) {
  const list = new import_node_net.BlockList();
  for (const cidr of cidrs.split(",")) {
    const [address = "", prefix = ""] = cidr.trim().split("/");
    const family = (0, import_node_net.isIP)(address);
    if (family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128))
      list.addSubnet(address, Number(prefix), `ipv${family}`);
  }
  return (address) => {
    const family = (0, import_node_net.isIP)(address);
    return family !== 0 && list.check(address, `ipv${family}`);
  };
}

// apps/steward/src/wait/still-missing.ts
async function observe(wanted, read, signal) {
  const subnet = await read("Subnet", void 0, wanted.subnet, signal);
  if (wanted.for === "pod-addressed") {
    const waits = [];
    for (const { namespace, name } of wanted.pods) {
      waits.push(
        ...podWaitsFor({
          subnetName: wanted.subnet,
          subnet,
          podName: `${namespace}/${name}`,
          pod: await read("Pod", namespace, name, signal)
        })
      );
    }
    return [...new Set(waits)];
  }
  const vpc = vpcNameOf(subnet);
  return subnetWaitsFor({
    name: wanted.subnet,
    subnet,
    vpc: vpc === void 0 ? void 0 : await read("Vpc", void 0, vpc, signal),
    ...wanted.namespace !== void 0 && {
      namespace: {
        name: wanted.namespace,
        object: await read("Namespace", void 0, wanted.namespace, signal)
      }
    }
  });
}

// libs/shared/src/safe-text.ts
var LINE_END = /[ \t]*[\n\r\u000b\u000c\u0085\u2028\u2029][\s\u0085]*/g;
function safeText(text, most = 300) {
  const shown = text.replace(
    LINE_END,
    (found, at) => at === 0 || at + found.length === text.length ? "" : " "
  ).replace(
    /[\u0000-\u001f\u007f-\u009f\ufeff\p{Bidi_Control}]/gu,
    (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, "0")}`
  );
  if (shown.length <= most) return shown;
  return `${shown.slice(0, most - 1).replace(/[\ud800-\udbff]$/, "")}\u2026`;
}

// apps/steward/src/wait/report.ts
var WAIT_EXIT = { there: 0, error: 1, notInTime: 3 };
var seconds = (ms) => Math.round(ms / 100) / 10;
var what = ({ subnet, for: purpose, namespace, pods }) => purpose === "ready" ? `Subnet ${subnet} to be ready${namespace === void 0 ? "" : ` for namespace ${namespace}`}` : `${pods.map((it) => `${it.namespace}/${it.name}`).join(", ")} to have an address of Subnet ${subnet}`;
function waitedText(wanted, { there, waitsFor, trouble, waitedMs }) {
  if (there) return `There after ${seconds(waitedMs)} s: waited for ${what(wanted)}.
`;
  const last = [
    ...waitsFor.length === 0 ? [] : [`It still waits for ${waitsFor.join("; ")}.`],
    ...trouble === void 0 ? [] : [`At the end the state could not be read: ${trouble}`]
  ];
  return `${safeText(`Not there after ${seconds(waitedMs)} s: waited for ${what(wanted)}. ${last.join(" ")}`, 2e3)}
`;
}
var waitedJson = (wanted, { there, waitsFor, trouble, waitedMs }) => `${JSON.stringify({ subnet: wanted.subnet, for: wanted.for, namespace: wanted.namespace ?? null, pods: wanted.pods.map((it) => `${it.namespace}/${it.name}`), there, waitedSeconds: seconds(waitedMs), waitsFor, trouble: trouble ?? null })}
`;

// apps/steward/src/wait/service-account.ts
var import_node_fs = require("node:fs");
var import_node_https = require("node:https");
var import_node_path = require("node:path");

// libs/shared/src/longest-timer.ts
var LONGEST_MS = 2 ** 31 - 1;

// libs/shared/src/time-limit.ts
function timeLimit(ms, ...others) {
  const over = new AbortController();
  setTimeout(
    () => over.abort(new DOMException("The operation was aborted due to timeout", "TimeoutError")),
    Math.min(ms, LONGEST_MS)
  ).unref();
  return others.length === 0 ? over.signal : AbortSignal.any([...others, over.signal]);
}

// apps/steward/src/wait/service-account.ts
var ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount";
var ANSWER_MS = 1e4;
var ANSWER_BYTES = 16 * 1024 * 1024;
var RESOURCES = {
  Subnet: ["/apis/kubeovn.io/v1", "subnets"],
  Vpc: ["/apis/kubeovn.io/v1", "vpcs"],
  Namespace: ["/api/v1", "namespaces"],
  Pod: ["/api/v1", "pods"]
};
function readAsPod(folder, env) {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = "443" } = env;
  if (!host)
    throw new Failure(
      "input-not-found",
      "KUBERNETES_SERVICE_HOST is not set: this runs in a pod; elsewhere use steward wait with a kubeconfig."
    );
  const fileOf = (name) => mounted((0, import_node_path.join)(folder, name));
  const ca = fileOf("ca.crt");
  return async (kind, namespace, name, signal) => {
    const [group, resource] = RESOURCES[kind];
    const path = `${group}${namespace === void 0 ? "" : `/namespaces/${namespace}`}/${resource}/${name}`;
    const { status, text } = await get(
      {
        host,
        port,
        path,
        headers: {
          accept: "application/json",
          "user-agent": "ovn-steward-wait",
          authorization: `Bearer ${fileOf("token").trim()}`
        },
        ca,
        agent: false
      },
      timeLimit(ANSWER_MS, signal)
    );
    const body = parsed(text);
    if (status === 200 && body?.kind === kind && body.metadata?.name === name) return body;
    if (status === 404 && body?.reason === "NotFound" && body.details?.name === name && body.details.kind === resource)
      return void 0;
    throw new Failure(
      "source-unreachable",
      `GET ${path} was answered with HTTP ${status}${status === 403 ? ": the service account may not; see deploy/wait/rbac.yaml" : status === 404 ? ": the cluster does not serve that kind" : ""}.`
    );
  };
}
function mounted(path) {
  try {
    return (0, import_node_fs.readFileSync)(path, "utf8");
  } catch {
    throw new Failure(
      "input-not-found",
      `${path} cannot be read: the pod needs a service account whose token is mounted (automountServiceAccountToken).`
    );
  }
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return void 0;
  }
}
function get(options, signal) {
  return new Promise((resolve, reject) => {
    const failed = (error) => reject(
      new Failure(
        "source-unreachable",
        `GET ${options.path} of ${String(options.host)} failed: ${signal.aborted ? `no answer within ${ANSWER_MS / 1e3} s` : messageOf(error)}.`
      )
    );
    const sent = (0, import_node_https.request)({ ...options, signal }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk) => {
        if ((text += chunk).length > ANSWER_BYTES)
          response.destroy(new Error("the answer is too large"));
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text })).on("error", failed);
    });
    sent.on("error", failed).end();
  });
}

// apps/steward/src/wait/wait-until.ts
var import_promises = require("node:timers/promises");
var POLL_INTERVAL_MS = 1e3;
async function waitUntil({
  observe: observe2,
  print,
  timeoutMs,
  everyMs = POLL_INTERVAL_MS
}) {
  const begun = performance.now();
  const over = timeoutMs === 0 ? new AbortController().signal : timeLimit(timeoutMs);
  let waitsFor = [];
  let trouble = "the first read had no answer when the time was over";
  let said = "";
  for (; ; ) {
    try {
      waitsFor = await observe2(over);
      trouble = void 0;
    } catch (error) {
      if (retryOf(error, "later") === "never") throw error;
      if (!over.aborted) trouble = messageOf(error);
    }
    const waitedMs = performance.now() - begun;
    const there = trouble === void 0 && waitsFor.length === 0;
    if (there || over.aborted || waitedMs >= timeoutMs)
      return { there, waitsFor, trouble, waitedMs };
    const line = trouble === void 0 ? `Waiting for ${waitsFor.join("; ")}.` : `The state could not be read; trying again: ${trouble}`;
    if (line !== said) print(safeText(said = line, 1e3));
    await (0, import_promises.setTimeout)(Math.min(everyMs, timeoutMs - waitedMs));
  }
}

// libs/shared/src/duration-ms.ts
var UNITS = /* @__PURE__ */ new Map([
  ["ms", 1],
  ["s", 1e3],
  ["m", 6e4],
  ["h", 36e5],
  ["d", 864e5]
]);
var DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d))+$/;
var PART = /(\d+)(ms|s|m|h|d)/g;
function durationMs(text) {
  if (!DURATION.test(text)) return void 0;
  return [...text.matchAll(PART)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * (UNITS.get(unit ?? "") ?? NaN),
    0
  );
}

// apps/steward/src/wait/wanted.ts
var PURPOSES = ["ready", "pod-addressed"];
var NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;
function wantedOf({
  subject,
  for: purpose,
  namespace,
  pod,
  timeout
}) {
  const [kind = "", subnet = "", ...more] = subject.split("/");
  if (kind !== "subnet" || more.length > 0)
    throw invalid(`${JSON.stringify(subject)} cannot be waited for: write subnet/ and its name`);
  const wanted = PURPOSES.find((it) => it === purpose);
  if (!wanted) throw invalid(`--for ${purpose}: write ${PURPOSES.join(" or ")}`);
  if (wanted === "ready" && pod.length > 0)
    throw invalid("--pod is for --for pod-addressed; a namespace is waited for with --namespace");
  if (wanted === "pod-addressed" && pod.length === 0)
    throw invalid("--for pod-addressed needs --pod <namespace>/<name>, once for each pod");
  const timeoutMs = durationMs(timeout);
  if (timeoutMs === void 0 || timeoutMs > LONGEST_MS)
    throw invalid(
      `--timeout ${timeout} is not a duration: write a number with a unit, such as 30s, 15m or 1h30m, at most 24d`
    );
  const pods = pod.map((it) => podOf(it, namespace));
  for (const name of [
    subnet,
    namespace ?? "none",
    ...pods.flatMap((it) => [it.namespace, it.name])
  ])
    if (!NAME.test(name))
      throw invalid(`${JSON.stringify(name)} cannot be the name of a Kubernetes object`);
  return { subnet, for: wanted, namespace, pods, timeoutMs };
}
function podOf(text, namespace) {
  const [first = "", second, ...more] = text.split("/");
  if (more.length > 0 || second === void 0 && namespace === void 0)
    throw invalid(`--pod ${text}: write <namespace>/<name>`);
  return second === void 0 ? { namespace, name: first } : { namespace: first, name: second };
}
var invalid = (message) => new Failure("config-invalid", `${message}.`);

// apps/steward/src/wait/main.ts
var USAGE = `Usage: steward-wait subnet/<name> [--for ready|pod-addressed] [--namespace <name>] [--pod <namespace>/<name>]... [--timeout 5m] [--output text|json]
Waits as this pod's service account. Exit codes: 0 it is there, 1 an error, 3 it was not there in time or could not be known.
`;
async function main(argv, env) {
  try {
    const options = optionsOf(argv);
    if (options === "help") {
      process.stdout.write(USAGE);
      return WAIT_EXIT.there;
    }
    const { wanted, account, output } = options;
    const read = readAsPod(account, env);
    const waited = await waitUntil({
      observe: (signal) => observe(wanted, read, signal),
      print: (line) => process.stderr.write(`${line}
`),
      timeoutMs: wanted.timeoutMs
    });
    if (output === "json") process.stdout.write(waitedJson(wanted, waited));
    else process[waited.there ? "stdout" : "stderr"].write(waitedText(wanted, waited));
    return waited.there ? WAIT_EXIT.there : WAIT_EXIT.notInTime;
  } catch (error) {
    process.stderr.write(`steward-wait: ${messageOf(error)}
`);
    return WAIT_EXIT.error;
  }
}
function optionsOf(argv) {
  const { values, positionals } = (0, import_node_util.parseArgs)({
    args: [...argv],
    allowPositionals: true,
    options: {
      for: { type: "string", default: "ready" },
      namespace: { type: "string" },
      pod: { type: "string", multiple: true, default: [] },
      timeout: { type: "string", default: "5m" },
      output: { type: "string", default: "text" },
      account: { type: "string", default: ACCOUNT_FOLDER },
      help: { type: "boolean", default: false }
    }
  });
  if (values.help) return "help";
  const [subject, ...more] = positionals;
  if (subject === void 0 || more.length > 0)
    throw new Failure(
      "config-invalid",
      "name one thing to wait for, such as subnet/apps; --help says more."
    );
  if (!["text", "json"].includes(values.output))
    throw new Failure("config-invalid", `--output ${values.output}: write text or json.`);
  return {
    wanted: wantedOf({ ...values, subject }),
    account: values.account,
    output: values.output
  };
}

// start.js
main(process.argv.slice(2), process.env).then((code) => {
  process.exitCode = code;
});
