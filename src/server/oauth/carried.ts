/** Values that features carry from a request to its grant and on to the tokens. The core copies them without reading. */

/** The carried values by name. They are JSON, because the store keeps them with the grant. */
export type Carried = Readonly<Record<string, unknown>>;

/** The name of a carried value, and the type of the value. A feature lists its keys in the slot `carries`. */
export interface CarriedKey<T> {
  readonly name: string;
  /** Never set. It ties the key to the type of its value. */
  readonly type?: T;
}

/** The nonce of an authorization request, which the ID token repeats (OpenID Connect Core §3.1.2.1). */
export const nonceKey: CarriedKey<string> = { name: "nonce" };

/** A request or a grant. */
export interface Carrier {
  readonly carried: Carried;
}

/** Returns the value of the key. The cast is safe, because only `carry` creates entries. */
export function readCarried<T>({ carried }: Carrier, { name }: CarriedKey<T>): T | undefined {
  return carried[name] as T | undefined;
}

/** Creates the entry of a key, or no entry if there is no value. */
export function carry<T>({ name }: CarriedKey<T>, value: NoInfer<T> | undefined): Carried {
  return value === undefined ? {} : { [name]: value };
}
