/** Loads modules when they are needed first, because each test file that loads the test kit waits for its modules. */

/**
 * Returns a function that stands for the one that `load` resolves to, and loads it at the first call. Calls after that
 * do not wait.
 */
export function lazy<Args extends readonly unknown[], Result>(
  load: () => Promise<(...args: Args) => Promise<Result>>,
): (...args: Args) => Promise<Result> {
  let loading: Promise<(...args: Args) => Promise<Result>> | undefined;
  let loaded: ((...args: Args) => Promise<Result>) | undefined;

  async function loadAndCall(...args: Args): Promise<Result> {
    loaded = await (loading ??= load());
    return await loaded(...args);
  }

  return (...args) => loaded === undefined ? loadAndCall(...args) : loaded(...args);
}
