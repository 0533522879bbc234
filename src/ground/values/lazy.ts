/** Loads a folder when it is needed first, because a start and each test file wait for what is loaded before. */

/** Returns a function that loads the one that `load` resolves to at the first call. Later calls do not wait. */
export function lazy<Args extends readonly unknown[], Result>(
  load: () => Promise<(...args: Args) => Result | Promise<Result>>,
): (...args: Args) => Promise<Result> {
  let loading: ReturnType<typeof load> | undefined;
  let loaded: Awaited<ReturnType<typeof load>> | undefined;

  async function loadAndCall(...args: Args): Promise<Result> {
    loaded = await (loading ??= load());
    return await loaded(...args);
  }

  return (...args) => loaded === undefined ? loadAndCall(...args) : Promise.resolve(loaded(...args));
}
