/** A client's session as it is often written, and one that survives two refreshes at the same time. */

export class Session {
  constructor(tokens, send) {
    this.tokens = tokens;
    this.send = send;
  }

  async refresh() {
    const response = await this.send("https://as.test/oauth2/token", {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "refresh_token",
        refresh_token: this.tokens.refresh_token,
        client_id: "app",
      }),
    });
    const answer = await response.json();
    if (!response.ok) throw new Error(answer.error);
    this.tokens = answer;
  }
}

/** A call during a refresh waits for that refresh. */
export class SingleFlightSession extends Session {
  refresh() {
    return this.refreshing ??= super.refresh().finally(() => this.refreshing = undefined);
  }
}
