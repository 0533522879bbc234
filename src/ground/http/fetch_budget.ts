/** Limits how often the server calls hosts that strangers name. */

export interface FetchBudget {
  /** Counts a request. Returns 0 if the server may send it, otherwise the seconds until it may. */
  take(host: string): number;
  /** Marks a host that has answered as expected. From then on, the host has a limit of its own. */
  accept(host: string): void;
}

// Requests in one minute to all unknown hosts together, and to each known host.
const mostInWindow = 10;
// In seconds.
const window = 60;
const mostKnownHosts = 500;

/** Each server has a budget of its own in memory, because it protects the hosts from one server. `now` returns seconds. */
export function createFetchBudget(now: () => number): FetchBudget {
  let unknown: readonly number[] = [];
  const known = new Map<string, readonly number[]>();

  return {
    take(host) {
      const isCurrent = (at: number) => at > now() - window && at <= now();
      const times = (known.get(host) ?? unknown).filter(isCurrent);
      if (times.length >= mostInWindow) return Math.ceil(times[0]! + window - now());
      const counted = [...times, now()];
      if (known.has(host)) known.set(host, counted);
      else unknown = counted;
      return 0;
    },
    accept(host) {
      if (known.has(host)) return;
      known.set(host, []);
      const [oldest] = known.keys();
      if (known.size > mostKnownHosts) known.delete(oldest!);
    },
  };
}
