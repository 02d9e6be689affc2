export interface OwnerReference {
  readonly apiVersion?: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
}

export interface Metadata {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly finalizers?: readonly string[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly managedFields?: readonly ManagedFields[];
}

/**
 * Who wrote a field last, by `metadata.managedFields`: of a Pod which subnet it is in, of a Vip
 * `spec.subnet`, of an OvnEip `spec.externalSubnet`. A dump made by kubectl lacks it.
 */
export interface ManagedFields {
  readonly manager: string;
  readonly fieldsV1?: {
    readonly 'f:metadata'?: { readonly 'f:annotations'?: Readonly<Record<string, unknown>> };
    readonly 'f:spec'?: Readonly<Record<string, unknown>>;
  };
}

/**
 * An object of Kubernetes as the collector projects it: its own structure, only the fields that
 * rules read.
 */
export interface TypedObject<
  Spec = Readonly<Record<string, unknown>>,
  Status = Readonly<Record<string, unknown>>,
> {
  readonly metadata: Metadata;
  readonly spec?: Spec;
  readonly status?: Status;
}
