/** What each step of the page *Try it here* is for, in their order. */
export const plan = [
  "Sign in, and see what the browser carries.",
  "Exchange the code for tokens.",
  "Refresh the tokens.",
  "Send the code again: why does a code work once?",
  "Turn the clock until a token has ended.",
  "Let the server be wrong, and compare a naive client with a careful one.",
] as const;
