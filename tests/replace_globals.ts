/** Gives the process what a page or a worker has, until the end of the block. */
export function replaceGlobals(values: Readonly<Record<string, unknown>>): Disposable {
  const before = Object.getOwnPropertyDescriptors(globalThis) as PropertyDescriptorMap;
  for (const name in values) {
    Object.defineProperty(globalThis, name, { value: values[name], configurable: true });
  }
  return {
    [Symbol.dispose]() {
      for (const name in values) {
        if (before[name] === undefined) Reflect.deleteProperty(globalThis, name);
        else Object.defineProperty(globalThis, name, before[name]);
      }
    },
  };
}
