/** Something that is loaded when it is needed, and then kept. */

/** Loaded when it is first asked for. What could not be loaded then may be there the next time. */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
}
