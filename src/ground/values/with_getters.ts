/** Adds getters to an object. The getters of an object literal would make an engine keep 500 octets more for each object. */

import { remember } from "./remember.ts";

const values = Symbol("the values of the getters");

/** All objects share the getter of a name. */
const getters = new Map<string, PropertyDescriptor>();

export function withGetters<Members extends object, Getters extends object>(
  members: Members,
  own: { readonly [Name in keyof Getters]: () => Getters[Name] },
): Members & Readonly<Getters> {
  Object.defineProperty(members, values, { value: own });
  for (const name of Object.keys(own)) {
    Object.defineProperty(members, name, remember(getters, name, () => describeGetter(name)));
  }
  return members as Members & Getters;
}

function describeGetter(name: string): PropertyDescriptor {
  return {
    get(this: { readonly [values]: Record<string, () => unknown> }) {
      return this[values][name]!();
    },
    configurable: true,
    enumerable: true,
  };
}
