/** Takes a token that was searched for out of the address, which a person may copy. */
/// <reference lib="dom" />

history.replaceState(null, "", location.pathname);
