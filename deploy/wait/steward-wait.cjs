#!/usr/bin/env node
// Generated from apps/steward/src/wait/main.ts and what it imports by `npm run generate`; do not edit. Needs Node 20 or newer, and nothing else.
'use strict';
const loaded = new Map();
function load(name) {
  if (!loaded.has(name)) {
    loaded.set(name, {});
    modules[name](loaded.get(name));
  }
  return loaded.get(name);
}
const modules = {
"apps/steward/src/wait/main"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
Object.defineProperty(exports, "main", {
    enumerable: true,
    get: function() {
        return main;
    }
});
const _nodeutil = require("node:util");
const _errors = load("libs/shared/src/errors");
const _stillmissing = load("apps/steward/src/wait/still-missing");
const _report = load("apps/steward/src/wait/report");
const _serviceaccount = load("apps/steward/src/wait/service-account");
const _waituntil = load("apps/steward/src/wait/wait-until");
const _wanted = load("apps/steward/src/wait/wanted");
const USAGE = `Usage: steward-wait subnet/<name> [--for ready|pod-addressed] [--namespace <name>] [--pod <namespace>/<name>]... [--timeout 5m] [--output text|json]
Waits as this pod's service account. Exit codes: 0 it is there, 1 an error, 3 it was not there in time or could not be known.
`;
async function main(argv, env) {
    try {
        const options = optionsOf(argv);
        if (options === 'help') return process.stdout.write(USAGE), _report.WAIT_EXIT.there;
        const { wanted, account, output } = options;
        const read = (0, _serviceaccount.readAsPod)(account, env);
        const waited = await (0, _waituntil.waitUntil)({
            observe: (signal)=>(0, _stillmissing.observe)(wanted, read, signal),
            say: (line)=>process.stderr.write(`${line}\n`),
            timeoutMs: wanted.timeoutMs
        });
        if (output === 'json') process.stdout.write((0, _report.waitedJson)(wanted, waited));
        else process[waited.there ? 'stdout' : 'stderr'].write((0, _report.waitedText)(wanted, waited));
        return waited.there ? _report.WAIT_EXIT.there : _report.WAIT_EXIT.notInTime;
    } catch (error) {
        process.stderr.write(`steward-wait: ${(0, _errors.messageOf)(error)}\n`);
        return _report.WAIT_EXIT.error;
    }
}
function optionsOf(argv) {
    const { values, positionals } = (0, _nodeutil.parseArgs)({
        args: [
            ...argv
        ],
        allowPositionals: true,
        options: {
            for: {
                type: 'string',
                default: 'ready'
            },
            namespace: {
                type: 'string'
            },
            pod: {
                type: 'string',
                multiple: true,
                default: []
            },
            timeout: {
                type: 'string',
                default: '5m'
            },
            output: {
                type: 'string',
                default: 'text'
            },
            account: {
                type: 'string',
                default: _serviceaccount.ACCOUNT_FOLDER
            },
            help: {
                type: 'boolean',
                default: false
            }
        }
    });
    if (values.help) return 'help';
    const [subject, ...more] = positionals;
    if (subject === undefined || more.length > 0) throw new _errors.Failure('config-invalid', 'name one thing to wait for, such as subnet/apps; --help says more.');
    if (![
        'text',
        'json'
    ].includes(values.output)) throw new _errors.Failure('config-invalid', `--output ${values.output}: write text or json.`);
    return {
        wanted: (0, _wanted.wantedOf)({
            ...values,
            subject
        }),
        account: values.account,
        output: values.output
    };
}
},
"apps/steward/src/wait/report"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
function _export(target, all) {
    for(var name in all)Object.defineProperty(target, name, {
        enumerable: true,
        get: Object.getOwnPropertyDescriptor(all, name).get
    });
}
_export(exports, {
    get WAIT_EXIT () {
        return WAIT_EXIT;
    },
    get waitedJson () {
        return waitedJson;
    },
    get waitedText () {
        return waitedText;
    }
});
const _safetext = load("libs/shared/src/safe-text");
const WAIT_EXIT = {
    there: 0,
    error: 1,
    notInTime: 3
};
/** Seconds, to a tenth. */ const seconds = (ms)=>Math.round(ms / 100) / 10;
const what = ({ subnet, for: purpose, namespace, pods })=>purpose === 'ready' ? `Subnet ${subnet} to be ready${namespace === undefined ? '' : ` for namespace ${namespace}`}` : `${pods.map((it)=>`${it.namespace}/${it.name}`).join(', ')} to have an address of Subnet ${subnet}`;
function waitedText(wanted, { there, waitsFor, trouble, waitedMs }) {
    if (there) return `There after ${seconds(waitedMs)} s: waited for ${what(wanted)}.\n`;
    const last = [
        ...waitsFor.length === 0 ? [] : [
            `It still waits for ${waitsFor.join('; ')}.`
        ],
        ...trouble === undefined ? [] : [
            `At the end it could not look: ${trouble}`
        ]
    ];
    return `${(0, _safetext.safeText)(`Not there after ${seconds(waitedMs)} s: waited for ${what(wanted)}. ${last.join(' ')}`, 2000)}\n`;
}
const waitedJson = (wanted, { there, waitsFor, trouble, waitedMs })=>`${JSON.stringify({
        subnet: wanted.subnet,
        for: wanted.for,
        namespace: wanted.namespace ?? null,
        pods: wanted.pods.map((it)=>`${it.namespace}/${it.name}`),
        there,
        waitedSeconds: seconds(waitedMs),
        waitsFor,
        trouble: trouble ?? null
    })}\n`;
},
"apps/steward/src/wait/service-account"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
function _export(target, all) {
    for(var name in all)Object.defineProperty(target, name, {
        enumerable: true,
        get: Object.getOwnPropertyDescriptor(all, name).get
    });
}
_export(exports, {
    get ACCOUNT_FOLDER () {
        return ACCOUNT_FOLDER;
    },
    get readAsPod () {
        return readAsPod;
    }
});
const _nodefs = require("node:fs");
const _nodehttps = require("node:https");
const _nodepath = require("node:path");
const _errors = load("libs/shared/src/errors");
const ACCOUNT_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';
/** How long one answer may take, and how long it may be. */ const ANSWER_MS = 10_000;
const ANSWER_BYTES = 16 * 1024 * 1024;
const RESOURCES = {
    Subnet: [
        '/apis/kubeovn.io/v1',
        'subnets'
    ],
    Vpc: [
        '/apis/kubeovn.io/v1',
        'vpcs'
    ],
    Namespace: [
        '/api/v1',
        'namespaces'
    ],
    Pod: [
        '/api/v1',
        'pods'
    ]
};
function readAsPod(folder, env) {
    const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port = '443' } = env;
    if (!host) throw new _errors.Failure('input-not-found', 'KUBERNETES_SERVICE_HOST is not set: this runs in a pod; elsewhere use steward wait with a kubeconfig.');
    const fileOf = (name)=>{
        try {
            return (0, _nodefs.readFileSync)((0, _nodepath.join)(folder, name), 'utf8');
        } catch  {
            throw new _errors.Failure('input-not-found', `${(0, _nodepath.join)(folder, name)} cannot be read: the pod needs a service account whose token is mounted (automountServiceAccountToken).`);
        }
    };
    const ca = fileOf('ca.crt');
    return async (kind, namespace, name, signal)=>{
        const [group, resource] = RESOURCES[kind];
        const path = `${group}${namespace === undefined ? '' : `/namespaces/${namespace}`}/${resource}/${name}`;
        const { status, text } = await get({
            host,
            port,
            path,
            headers: {
                accept: 'application/json',
                'user-agent': 'ovn-steward-wait',
                authorization: `Bearer ${fileOf('token').trim()}`
            },
            ca,
            agent: false
        }, AbortSignal.any([
            signal,
            AbortSignal.timeout(ANSWER_MS)
        ]));
        const body = parsed(text);
        if (status === 200 && body?.kind === kind && body.metadata?.name === name) return body;
        // Of this very object, or it proves no absence: a resource that is not served is answered with 404 too.
        if (status === 404 && body?.reason === 'NotFound' && body.details?.name === name && body.details.kind === resource) return undefined;
        throw new _errors.Failure('source-unreachable', `GET ${path} was answered with HTTP ${status}${status === 403 ? ': the service account may not; see deploy/wait/rbac.yaml' : status === 404 ? ': the cluster does not serve that kind' : ''}.`);
    };
}
function parsed(text) {
    try {
        return JSON.parse(text);
    } catch  {
        return undefined;
    }
}
/** @throws Failure `source-unreachable` for anything but a whole answer. */ function get(options, signal) {
    return new Promise((resolve, reject)=>{
        const failed = (error)=>reject(new _errors.Failure('source-unreachable', `GET ${options.path} of ${String(options.host)} failed: ${signal.aborted ? `no answer within ${ANSWER_MS / 1000} s` : (0, _errors.messageOf)(error)}.`));
        const sent = (0, _nodehttps.request)({
            ...options,
            signal
        }, (response)=>{
            let text = '';
            response.setEncoding('utf8').on('data', (chunk)=>{
                if ((text += chunk).length > ANSWER_BYTES) response.destroy(new Error('the answer is too large'));
            });
            response.on('end', ()=>resolve({
                    status: response.statusCode ?? 0,
                    text
                })).on('error', failed);
        });
        sent.on('error', failed).end();
    });
}
},
"apps/steward/src/wait/still-missing"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
Object.defineProperty(exports, "observe", {
    enumerable: true,
    get: function() {
        return observe;
    }
});
const _podwaitsfor = load("libs/judgement/src/readiness/pod-waits-for");
const _subnetwaitsfor = load("libs/judgement/src/readiness/subnet-waits-for");
async function observe(wanted, read, signal) {
    const subnet = await read('Subnet', undefined, wanted.subnet, signal);
    if (wanted.for === 'pod-addressed') {
        const waits = [];
        for (const { namespace, name } of wanted.pods){
            waits.push(...(0, _podwaitsfor.podWaitsFor)({
                subnetName: wanted.subnet,
                subnet,
                podName: `${namespace}/${name}`,
                pod: await read('Pod', namespace, name, signal)
            }));
        }
        return [
            ...new Set(waits)
        ]; // a subnet that is not there is said once
    }
    const vpc = (0, _subnetwaitsfor.vpcNameOf)(subnet);
    return (0, _subnetwaitsfor.subnetWaitsFor)({
        name: wanted.subnet,
        subnet,
        vpc: vpc === undefined ? undefined : await read('Vpc', undefined, vpc, signal),
        ...wanted.namespace !== undefined && {
            namespace: {
                name: wanted.namespace,
                object: await read('Namespace', undefined, wanted.namespace, signal)
            }
        }
    });
}
},
"apps/steward/src/wait/wait-until"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
Object.defineProperty(exports, "waitUntil", {
    enumerable: true,
    get: function() {
        return waitUntil;
    }
});
const _promises = require("node:timers/promises");
const _errors = load("libs/shared/src/errors");
const _safetext = load("libs/shared/src/safe-text");
/** How often to observe; milliseconds. */ const POLL_INTERVAL_MS = 1000;
async function waitUntil({ observe, say, timeoutMs, everyMs = POLL_INTERVAL_MS }) {
    const begun = performance.now();
    // 0 means one whole observation.
    const over = timeoutMs === 0 ? new AbortController().signal : AbortSignal.timeout(timeoutMs);
    let [waitsFor, trouble, said] = [
        [],
        'the first look had no answer when the time was over',
        ''
    ];
    for(;;){
        try {
            waitsFor = await observe(over);
            trouble = undefined;
        } catch (error) {
            if ((0, _errors.retryOf)(error, 'later') === 'never') throw error;
            if (!over.aborted) trouble = (0, _errors.messageOf)(error);
        }
        const waitedMs = performance.now() - begun;
        const there = trouble === undefined && waitsFor.length === 0;
        if (there || over.aborted || waitedMs >= timeoutMs) return {
            there,
            waitsFor,
            trouble,
            waitedMs
        };
        const line = trouble === undefined ? `Waiting for ${waitsFor.join('; ')}.` : `Could not look, and tries again: ${trouble}`;
        if (line !== said) say((0, _safetext.safeText)(said = line, 1000));
        await (0, _promises.setTimeout)(Math.min(everyMs, timeoutMs - waitedMs));
    }
}
},
"apps/steward/src/wait/wanted"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
function _export(target, all) {
    for(var name in all)Object.defineProperty(target, name, {
        enumerable: true,
        get: Object.getOwnPropertyDescriptor(all, name).get
    });
}
_export(exports, {
    get PURPOSES () {
        return PURPOSES;
    },
    get wantedOf () {
        return wantedOf;
    }
});
const _durationms = load("libs/shared/src/duration-ms");
const _errors = load("libs/shared/src/errors");
const PURPOSES = [
    'ready',
    'pod-addressed'
];
/** A name that the API server may have: part of a path, so nothing else is let through. */ const NAME = /^[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?$/;
/** Longest time that a timer takes. */ const LONGEST_MS = 2 ** 31 - 1;
function wantedOf({ subject, for: purpose, namespace, pod, timeout }) {
    const [kind = '', subnet = '', ...more] = subject.split('/');
    if (kind !== 'subnet' || more.length > 0) throw invalid(`${JSON.stringify(subject)} cannot be waited for: write subnet/ and its name`);
    const wanted = PURPOSES.find((it)=>it === purpose);
    if (!wanted) throw invalid(`--for ${purpose}: write ${PURPOSES.join(' or ')}`);
    if (wanted === 'ready' && pod.length > 0) throw invalid('--pod is for --for pod-addressed; a namespace is waited for with --namespace');
    if (wanted === 'pod-addressed' && pod.length === 0) throw invalid('--for pod-addressed needs --pod <namespace>/<name>, once for each pod');
    const timeoutMs = (0, _durationms.durationMs)(timeout);
    if (timeoutMs === undefined || timeoutMs > LONGEST_MS) throw invalid(`--timeout ${timeout} is not a duration: write a number with a unit, such as 30s, 15m or 1h30m, at most 24d`);
    const pods = pod.map((it)=>podOf(it, namespace));
    for (const name of [
        subnet,
        namespace ?? 'none',
        ...pods.flatMap((it)=>[
                it.namespace,
                it.name
            ])
    ])if (!NAME.test(name)) throw invalid(`${JSON.stringify(name)} cannot be the name of a Kubernetes object`);
    return {
        subnet,
        for: wanted,
        namespace,
        pods,
        timeoutMs
    };
}
function podOf(text, namespace) {
    const [first = '', second, ...more] = text.split('/');
    if (more.length > 0 || second === undefined && namespace === undefined) throw invalid(`--pod ${text}: write <namespace>/<name>`);
    return second === undefined ? {
        namespace: namespace,
        name: first
    } : {
        namespace: first,
        name: second
    };
}
const invalid = (message)=>new _errors.Failure('config-invalid', `${message}.`);
},
"libs/judgement/src/kube-ovn/namespace-subnets"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
function _export(target, all) {
    for(var name in all)Object.defineProperty(target, name, {
        enumerable: true,
        get: Object.getOwnPropertyDescriptor(all, name).get
    });
}
_export(exports, {
    get SUBNET_ANNOTATION () {
        return SUBNET_ANNOTATION;
    },
    get namesIn () {
        return namesIn;
    },
    get subnetsOfNamespace () {
        return subnetsOfNamespace;
    }
});
const SUBNET_ANNOTATION = 'ovn.kubernetes.io/logical_switch';
const namesIn = (list)=>(list ?? '').split(',').filter((it)=>it !== '');
const subnetsOfNamespace = (namespace)=>namesIn(namespace.object.metadata.annotations?.[SUBNET_ANNOTATION]);
},
"libs/judgement/src/readiness/part-of"(exports) {
/** The part of a document at a path; undefined where something on the way is missing or is no object. For what is read as it came, before anything is projected. */ "use strict";
Object.defineProperty(exports, "__esModule", {
    value: true
});
function _export(target, all) {
    for(var name in all)Object.defineProperty(target, name, {
        enumerable: true,
        get: Object.getOwnPropertyDescriptor(all, name).get
    });
}
_export(exports, {
    get entriesOf () {
        return entriesOf;
    },
    get partOf () {
        return partOf;
    },
    get textPartOf () {
        return textPartOf;
    }
});
const partOf = (document, ...path)=>path.reduce((it, key)=>typeof it === 'object' && it !== null && !Array.isArray(it) ? it[key] : undefined, document);
function textPartOf(document, ...path) {
    const part = partOf(document, ...path);
    return typeof part === 'string' && part !== '' ? part : undefined;
}
function entriesOf(document, ...path) {
    const part = partOf(document, ...path);
    return Array.isArray(part) ? part : [];
}
},
"libs/judgement/src/readiness/pod-waits-for"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
Object.defineProperty(exports, "podWaitsFor", {
    enumerable: true,
    get: function() {
        return podWaitsFor;
    }
});
const _nodenet = require("node:net");
const _namespacesubnets = load("libs/judgement/src/kube-ovn/namespace-subnets");
const _partof = load("libs/judgement/src/readiness/part-of");
const _subnetwaitsfor = load("libs/judgement/src/readiness/subnet-waits-for");
const SUFFIX = '.kubernetes.io/allocated';
function podWaitsFor({ subnetName, subnet, podName, pod }) {
    if (subnet === undefined) return [
        `Subnet ${subnetName} to be made`
    ];
    if (pod === undefined) return [
        `Pod ${podName} to be made`
    ];
    const deleted = (0, _partof.textPartOf)(pod, 'metadata', 'deletionTimestamp');
    if (deleted !== undefined) return [
        `Pod ${podName} to be made anew: it is being deleted since ${deleted}`
    ];
    const networks = networksOf(pod, (0, _subnetwaitsfor.providerOf)(subnet));
    if (networks.length === 0) return [
        `Kube-OVN to give Pod ${podName} an address`
    ];
    const wrong = networks.map((it)=>misfit(it, subnetName, subnet));
    return wrong.includes(undefined) ? [] : [
        `Pod ${podName} to have an address of Subnet ${subnetName}: ${wrong.join('; ')}`
    ];
}
/** The interfaces of a provider; an attachment that is used more than once has its interface behind it. */ function networksOf(pod, provider) {
    const annotations = (0, _partof.partOf)(pod, 'metadata', 'annotations');
    const providers = Object.entries(annotations ?? {}).filter(([key, value])=>key.endsWith(SUFFIX) && value === 'true').map(([key])=>key.slice(0, -SUFFIX.length)).filter((it)=>it === provider || provider !== 'ovn' && it.startsWith(`${provider}.`));
    return providers.map((it)=>({
            provider: it,
            logicalSwitch: (0, _partof.textPartOf)(annotations, `${it}${_namespacesubnets.SUBNET_ANNOTATION.slice('ovn'.length)}`),
            addresses: ((0, _partof.textPartOf)(annotations, `${it}.kubernetes.io/ip_address`) ?? '').split(',').filter((address)=>address !== '')
        }));
}
/** Why an interface is not in the subnet; undefined when it is. */ function misfit({ provider, logicalSwitch, addresses }, name, subnet) {
    if (logicalSwitch === undefined ? (0, _subnetwaitsfor.isOvnProvider)((0, _subnetwaitsfor.providerOf)(subnet)) : logicalSwitch !== name) return `its ${provider} network is ${logicalSwitch ?? 'not said'}`;
    if (addresses.length === 0) return `its ${provider} network has no address yet`;
    const inside = networkOf((0, _partof.textPartOf)(subnet, 'spec', 'cidrBlock') ?? '');
    const outside = addresses.filter((it)=>!inside(it));
    return outside.length === 0 ? undefined : `its ${provider} address ${outside.join(', ')} is not in ${(0, _partof.textPartOf)(subnet, 'spec', 'cidrBlock') ?? 'its CIDR, which is not said'}`;
}
/** By Node's own list: this is also the whole of deploy/wait, which has no packages. */ function networkOf(cidrs) {
    const list = new _nodenet.BlockList();
    for (const cidr of cidrs.split(',')){
        const [address = '', prefix = ''] = cidr.trim().split('/');
        const family = (0, _nodenet.isIP)(address);
        if (family !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (family === 4 ? 32 : 128)) list.addSubnet(address, Number(prefix), `ipv${family}`);
    }
    return (address)=>{
        const family = (0, _nodenet.isIP)(address);
        return family !== 0 && list.check(address, `ipv${family}`);
    };
}
},
"libs/judgement/src/readiness/subnet-waits-for"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
function _export(target, all) {
    for(var name in all)Object.defineProperty(target, name, {
        enumerable: true,
        get: Object.getOwnPropertyDescriptor(all, name).get
    });
}
_export(exports, {
    get boundSubnets () {
        return boundSubnets;
    },
    get isOvnProvider () {
        return isOvnProvider;
    },
    get providerOf () {
        return providerOf;
    },
    get subnetWaitsFor () {
        return subnetWaitsFor;
    },
    get vpcNameOf () {
        return vpcNameOf;
    }
});
const _namespacesubnets = load("libs/judgement/src/kube-ovn/namespace-subnets");
const _partof = load("libs/judgement/src/readiness/part-of");
/** Both are set by the subnet's reconcile when it is done (kube-ovn.md §1, §7.2); an IPAM-only subnet gets them too. */ const CONDITIONS = [
    'Validated',
    'Ready'
];
function subnetWaitsFor({ name, subnet, vpc, namespace }) {
    if (subnet === undefined) return [
        `Subnet ${name} to be made`,
        ...boundWaitsFor(name, namespace)
    ];
    const deleted = (0, _partof.textPartOf)(subnet, 'metadata', 'deletionTimestamp');
    if (deleted !== undefined) return [
        `Subnet ${name} to be made anew: it is being deleted since ${deleted}`
    ];
    const conditions = CONDITIONS.flatMap((it)=>conditionWaitsFor(name, it, subnet));
    return [
        ...conditions,
        ...vpcWaitsFor(name, subnet, vpc),
        ...boundWaitsFor(name, namespace)
    ];
}
function vpcNameOf(subnet) {
    return isOvnProvider(providerOf(subnet)) ? (0, _partof.textPartOf)(subnet, 'spec', 'vpc') : undefined;
}
const providerOf = (subnet)=>(0, _partof.textPartOf)(subnet, 'spec', 'provider') ?? 'ovn';
const isOvnProvider = (provider)=>provider === 'ovn' || provider.split('.').length === 3 && provider.endsWith('.ovn');
const boundSubnets = (namespace)=>new Set((0, _namespacesubnets.namesIn)((0, _partof.textPartOf)(namespace, 'metadata', 'annotations', _namespacesubnets.SUBNET_ANNOTATION)));
function conditionWaitsFor(name, type, subnet) {
    const said = (0, _partof.entriesOf)(subnet, 'status', 'conditions').find((it)=>(0, _partof.textPartOf)(it, 'type') === type);
    if (said === undefined) return [
        `Kube-OVN to look at Subnet ${name}: it has no condition ${type} yet`
    ];
    if ((0, _partof.textPartOf)(said, 'status') === 'True') return [];
    const why = [
        (0, _partof.textPartOf)(said, 'reason'),
        (0, _partof.textPartOf)(said, 'message')
    ].filter((it)=>it !== undefined).join(': ');
    return [
        `condition ${type} of Subnet ${name} to be True: it is ${(0, _partof.textPartOf)(said, 'status') ?? 'not said'}${why === '' ? '' : ` (${why})`}`
    ];
}
function vpcWaitsFor(name, subnet, vpc) {
    if (!isOvnProvider(providerOf(subnet))) return [];
    const wanted = vpcNameOf(subnet);
    if (wanted === undefined) return [
        `Kube-OVN to put Subnet ${name} into a Vpc`
    ];
    if (vpc === undefined) return [
        `Vpc ${wanted}, which Subnet ${name} names, to be made`
    ];
    const deleted = (0, _partof.textPartOf)(vpc, 'metadata', 'deletionTimestamp');
    return deleted === undefined ? [] : [
        `Vpc ${wanted} to be made anew: it is being deleted since ${deleted}`
    ];
}
function boundWaitsFor(name, namespace) {
    if (namespace === undefined) return [];
    if (namespace.object === undefined) return [
        `Namespace ${namespace.name} to be made`
    ];
    const bound = boundSubnets(namespace.object);
    if (bound.has(name)) return [];
    return [
        `Kube-OVN to bind Namespace ${namespace.name} to Subnet ${name}: it is bound to ${bound.size === 0 ? 'none' : [
            ...bound
        ].join(', ')}`
    ];
}
},
"libs/shared/src/duration-ms"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
function _export(target, all) {
    for(var name in all)Object.defineProperty(target, name, {
        enumerable: true,
        get: Object.getOwnPropertyDescriptor(all, name).get
    });
}
_export(exports, {
    get DURATION () {
        return DURATION;
    },
    get durationMs () {
        return durationMs;
    }
});
const UNITS = new Map([
    [
        'ms',
        1
    ],
    [
        's',
        1000
    ],
    [
        'm',
        60_000
    ],
    [
        'h',
        3_600_000
    ],
    [
        'd',
        86_400_000
    ]
]);
const DURATION = /^(?:\d{1,9}(?:ms|s|m|h|d))+$/;
const PART = /(\d+)(ms|s|m|h|d)/g;
function durationMs(text) {
    if (!DURATION.test(text)) return undefined;
    return [
        ...text.matchAll(PART)
    ].reduce((sum, [, count, unit])=>sum + Number(count) * (UNITS.get(unit ?? '') ?? NaN), 0);
}
},
"libs/shared/src/errors"(exports) {
/** When a failed step may be tried again. */ "use strict";
Object.defineProperty(exports, "__esModule", {
    value: true
});
function _export(target, all) {
    for(var name in all)Object.defineProperty(target, name, {
        enumerable: true,
        get: Object.getOwnPropertyDescriptor(all, name).get
    });
}
_export(exports, {
    get Failure () {
        return Failure;
    },
    get RETRY () {
        return RETRY;
    },
    get messageOf () {
        return messageOf;
    },
    get retryOf () {
        return retryOf;
    }
});
const RETRY = {
    'input-not-found': 'never',
    'input-unreadable': 'never',
    'input-truncated': 'never',
    'input-not-a-database': 'never',
    'input-foreign-schema': 'never',
    'input-not-a-dump': 'never',
    'config-invalid': 'never',
    'address-invalid': 'never',
    'source-unreachable': 'later',
    'source-refused': 'later',
    'source-certificate': 'later',
    'source-forbidden': 'later',
    'source-not-served': 'later',
    'source-expired': 'now',
    'source-broken': 'later',
    'object-malformed': 'later',
    'log-topic-drift': 'never',
    'log-locked': 'later',
    'log-full': 'later',
    'log-corrupt': 'never',
    'log-unavailable': 'later',
    'log-closed': 'never',
    'log-topic-unknown': 'never',
    'log-position-lost': 'never',
    'log-partition-lost': 'later',
    'log-forbidden': 'later',
    'log-record-refused': 'never',
    'state-corrupt': 'never',
    'leadership-lost': 'later',
    'outcome-unknown': 'later',
    'on-hold': 'later',
    fenced: 'later',
    'other-cluster': 'later',
    'plan-invalid': 'never',
    'plan-altered': 'never',
    'plan-foreign': 'never',
    'plan-stale': 'never',
    'plan-unripe': 'later',
    'plan-unstated': 'never',
    'uninstall-refused': 'never',
    'undo-impossible': 'never',
    'give-up-refused': 'never',
    'backup-invalid': 'never',
    'restore-refused': 'never',
    'guard-refused': 'never',
    'listen-failed': 'never',
    'access-unauthenticated': 'never',
    'access-forbidden': 'never',
    'stop-overdue': 'never'
};
class Failure extends Error {
    code;
    name = 'Failure';
    constructor(code, message, options){
        super(message, options), this.code = code;
    }
    get retry() {
        return RETRY[this.code];
    }
}
const retryOf = (error, otherwise)=>error instanceof Failure ? error.retry : otherwise;
const messageOf = (error)=>error instanceof Error ? error.message : String(error);
},
"libs/shared/src/safe-text"(exports) {
Object.defineProperty(exports, "__esModule", {
    value: true
});
Object.defineProperty(exports, "safeText", {
    enumerable: true,
    get: function() {
        return safeText;
    }
});
/** An end of a line, with the blanks around it: `\r\n` and the like, and those of Unicode (UAX #14, class BK). */ const LINE_END = /[ \t]*[\n\r\u000b\u000c\u0085\u2028\u2029][\s\u0085]*/g;
function safeText(text, most = 300) {
    const shown = text.replace(LINE_END, (found, at)=>at === 0 || at + found.length === text.length ? '' : ' ').replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufeff]/g, (it)=>`\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`);
    return shown.length > most ? `${shown.slice(0, most - 1)}…` : shown;
}
},
};
load("apps/steward/src/wait/main").main(process.argv.slice(2), process.env).then((code) => { process.exitCode = code; });
