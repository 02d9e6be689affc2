// Generated from the commands by `npm run generate`; do not edit.

/** What the help of the program says of each command, in its order. */
export const COMMAND_SUMMARIES = [
  {
    "usage": "audit [findings...]",
    "hasOptions": true,
    "about": "compare OVN and Kubernetes once, and report findings; changes nothing"
  },
  {
    "usage": "subnets [subnets...]",
    "hasOptions": true,
    "about": "show the health of subnets: conditions, namespaces, counted and really held addresses, and when they will be full"
  },
  {
    "usage": "run",
    "hasOptions": true,
    "about": "follow the sources and report findings as they come and go"
  },
  {
    "usage": "findings [findings...]",
    "hasOptions": true,
    "about": "list the findings of a pipeline from its state directory, Kafka, or a server"
  },
  {
    "usage": "watch [findings...]",
    "hasOptions": true,
    "about": "watch the findings of a pipeline, of services on Kafka, or of a server, until interrupted"
  },
  {
    "usage": "explain <finding>",
    "hasOptions": true,
    "about": "show why something was found; <finding> is an id or the beginning of one"
  },
  {
    "usage": "report [findings...]",
    "hasOptions": true,
    "about": "report all findings by class, cause, tenant and age, with lost addresses and the forecast"
  },
  {
    "usage": "score",
    "hasOptions": true,
    "about": "grade Kube-OVN's own garbage collection by observation: what it missed, how late it was, what it removed though alive"
  },
  {
    "usage": "diff <before> <after>",
    "hasOptions": true,
    "about": "compare two audits: what is new, what is resolved, what changed"
  },
  {
    "usage": "actions [id]",
    "hasOptions": true,
    "about": "list decisions and actions of the executor, or show one"
  },
  {
    "usage": "record",
    "hasOptions": true,
    "about": "record live sources into a folder that audit and run can read"
  },
  {
    "usage": "dead-letters",
    "hasOptions": true,
    "about": "list the dead letters: records that could not be read or published"
  },
  {
    "usage": "stream",
    "hasOptions": false,
    "about": "test a consumer of findings: replay a stream to Kafka, and check its table"
  },
  {
    "usage": "heal",
    "hasOptions": true,
    "about": "repair streams whose log has records that readers refuse, such as one with an impossible epoch; without --yes only show them"
  },
  {
    "usage": "export",
    "hasOptions": true,
    "about": "copy the state of steward run into a folder: findings, actions with their undo records, decisions"
  },
  {
    "usage": "import <folder>",
    "hasOptions": true,
    "about": "put an exported state into a state directory that holds none yet"
  },
  {
    "usage": "backup",
    "hasOptions": true,
    "about": "back up the Northbound into a file, and verify it by reading it back; changes nothing in OVN"
  },
  {
    "usage": "restore <file>",
    "hasOptions": true,
    "about": "show how a backup and the live Northbound differ, and restore rows; writes only with --yes"
  },
  {
    "usage": "plan",
    "hasOptions": true,
    "about": "write a plan of what would be removed, why, and in which order, to read and then apply; changes nothing"
  },
  {
    "usage": "apply [file]",
    "hasOptions": true,
    "about": "have a plan carried out by the running executor or, without one, by this process; refused as a whole if anything in it changed. Without a file: make a plan, show it and ask"
  },
  {
    "usage": "approve <findings...>",
    "hasOptions": true,
    "about": "allow the executor to act on findings in their current revision; has no effect on rules in mode observe"
  },
  {
    "usage": "hold",
    "hasOptions": true,
    "about": "stop all removals within a scope, even approved ones; everything by default; waits until the executor confirms"
  },
  {
    "usage": "resume",
    "hasOptions": true,
    "about": "end the hold of exactly this scope; other holds stay"
  },
  {
    "usage": "holds",
    "hasOptions": true,
    "about": "show the holds in force: scope, reason, who set them, until when, and which executors respect them"
  },
  {
    "usage": "suppress [finding]",
    "hasOptions": true,
    "about": "mark findings as suppressed: known, not open, and not acted on"
  },
  {
    "usage": "unsuppress [finding]",
    "hasOptions": true,
    "about": "end the suppression of exactly this selector; its findings are open again"
  },
  {
    "usage": "protect [finding]",
    "hasOptions": true,
    "about": "never act on findings, even if approved; they are still reported"
  },
  {
    "usage": "unprotect [finding]",
    "hasOptions": true,
    "about": "end the protection of exactly this selector"
  },
  {
    "usage": "suppressions",
    "hasOptions": true,
    "about": "show what is suppressed or protected: what, why, by whom and until when"
  },
  {
    "usage": "undo <ids...>",
    "hasOptions": true,
    "about": "put back what was removed: the running executor does it or, without one and if the systems are named, this process"
  },
  {
    "usage": "give-up <action-id>",
    "hasOptions": true,
    "about": "end an action that cannot be settled as failed; writes nothing to OVN or Kubernetes, and keeps its undo record"
  },
  {
    "usage": "adopt",
    "hasOptions": true,
    "about": "declare that the cluster of this name is another pair of live systems now; open actions of the former pair end without effect, and nothing of it is put back any more"
  },
  {
    "usage": "guard",
    "hasOptions": false,
    "about": "install, inspect and remove guards: policies and finalizers with which the cluster refuses harmful requests"
  },
  {
    "usage": "doctor [what...]",
    "hasOptions": true,
    "about": "show what a hanging deletion waits for, and in which order to free it; <what> is <kind>/<name>, such as subnet/apps; without it, everything that hangs"
  },
  {
    "usage": "wait <subnet>",
    "hasOptions": true,
    "about": "wait until a Subnet is ready for pods, or pods have an address of it; says what it waits for"
  },
  {
    "usage": "keys",
    "hasOptions": false,
    "about": "manage the keys that sign decisions and actions on Kafka"
  },
  {
    "usage": "config",
    "hasOptions": true,
    "about": "show the effective settings and where each came from"
  },
  {
    "usage": "completion <shell> [words...]",
    "hasOptions": true,
    "about": "print a script that completes commands, options, rules and ids of findings in a shell"
  }
] as const;
