package io.github.postern;

import java.util.Map;

/** An authorization server for one test: its own people, clients, clock and requests. */
public final class Postern extends Control implements AutoCloseable {
  /** It starts when something first needs it. */
  private static Postern shared;

  private final PosternServer server;
  private final String name;
  private final String issuer;

  Postern(PosternServer server, String name) {
    super(server.connection().ofTenant(name));
    this.server = server;
    this.name = name;
    this.issuer = call("POST", "/", Map.of(), null, "issuer", String.class);
  }

  /**
   * Returns a server that stays until the program ends. It is for what outlives a test, such as an
   * application of Spring Boot: {@code @PosternTest(shared = true)} gives it to the tests.
   */
  public static synchronized Postern shared() {
    if (shared == null) shared = PosternServer.shared().tenant("shared");
    return shared;
  }

  @Override
  public String issuer() {
    return issuer;
  }

  /** The name of the tenant, which is in the path of the issuer. */
  public String name() {
    return name;
  }

  /** The process in which this server is. */
  public PosternServer server() {
    return server;
  }

  /** Returns what a failed test shows: the flow, and why the last request was refused. */
  public String report() {
    String why = explain();
    return timeline().strip() + (why == null ? "" : "\n\n" + why.strip());
  }

  /** Removes the server with all that it has. Later calls throw {@link IllegalStateException}. */
  @Override
  public void close() {
    if (connection().isClosed()) return;
    send("DELETE", "/", Map.of(), null);
    connection().close();
  }
}
