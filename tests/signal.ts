/** A signal between two parts of a test that run at the same time. */

export interface Signal {
  readonly given: Promise<void>;
  readonly give: () => void;
}

export function createSignal(): Signal {
  let give = () => {};
  const given = new Promise<void>((resolve) => give = resolve);
  return { given, give };
}
