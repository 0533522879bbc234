package io.github.postern;

import io.github.postern.RefusedException.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Where the control plane is, and the key for it. */
public final class Connection {
  /** A call that waits for something, such as a request at a gate, answers sooner. */
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final HttpClient client;
  private final String url;
  private final String key;
  private volatile boolean isClosed;

  private Connection(HttpClient client, String url, String key) {
    this.client = client;
    this.url = url;
    this.key = key;
  }

  /** Takes the file with the authority of a server with TLS, or null. */
  static Connection to(String url, String key, String certificate) {
    HttpClient.Builder builder = HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .proxy(HttpClient.Builder.NO_PROXY)
        .connectTimeout(LIMIT);
    if (certificate != null) builder.sslContext(trust(Path.of(certificate)));
    return new Connection(builder.build(), url, key);
  }

  Connection ofTenant(String name) {
    return new Connection(client, url + "/tenants/" + name, key);
  }

  boolean isClosed() {
    return isClosed;
  }

  void close() {
    isClosed = true;
  }

  /** The key for each call, as {@code Authorization: Bearer KEY}. Null: the server has none. */
  public String key() {
    return key;
  }

  /** The trust of a client that talks to this server. Without TLS, it is the usual one. */
  public SSLContext sslContext() {
    return client.sslContext();
  }

  /** The URL of the control plane, or of the part that is a tenant's. */
  public String url() {
    return url;
  }

  /** Sends a call, and returns the text of its answer. */
  String send(String method, String path, Map<String, ?> query, Map<String, ?> body) {
    if (isClosed) throw new IllegalStateException("This Postern is closed: each test has one of its own");
    if (!path.matches("(/.*)?")) throw new IllegalArgumentException("The path begins with no slash: " + path);
    HttpRequest request = write(method, path, query, body);
    HttpResponse<String> response;
    try {
      response = exchange(request);
    } catch (IOException error) {
      throw new PosternException("Postern does not answer at " + url + ": " + error, error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new PosternException("The test was interrupted while Postern had the call " + path, error);
    }
    if (response.statusCode() >= 400) throw refuse(response.statusCode(), response.body());
    return response.body();
  }

  private HttpResponse<String> exchange(HttpRequest request) throws IOException, InterruptedException {
    try {
      return client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
    } catch (IOException error) {
      // The server has closed a connection that nothing used, and the client has taken it in that moment.
      boolean isUnsent = String.valueOf(error.getMessage()).contains("received no bytes");
      if (isUnsent) return client.send(request, BodyHandlers.ofString(StandardCharsets.UTF_8));
      throw error;
    }
  }

  private HttpRequest write(String method, String path, Map<String, ?> query, Map<String, ?> body) {
    String asked = query.entrySet().stream()
        .map(each -> each.getKey() + "=" + URLEncoder.encode(String.valueOf(each.getValue()), StandardCharsets.UTF_8))
        .collect(Collectors.joining("&"));
    URI target = URI.create(url + (path.equals("/") ? "" : path) + (asked.isEmpty() ? "" : "?" + asked));
    HttpRequest.Builder request =
        HttpRequest.newBuilder(target).timeout(LIMIT).header("Accept", "application/json, */*");
    if (key != null) request.header("Authorization", "Bearer " + key);
    if (body == null) return request.method(method, BodyPublishers.noBody()).build();
    request.header("Content-Type", "application/json");
    return request.method(method, BodyPublishers.ofString(Json.write(body))).build();
  }

  private static RefusedException refuse(int status, String text) {
    try {
      Problem problem = (Problem) Values.decode(Json.read(text), "answer", Problem.class);
      if (problem.errorDescription() != null) return new RefusedException(status, problem);
    } catch (PosternException noProblem) {
      // Another server has answered, such as a proxy.
    }
    String start = text.substring(0, Math.min(300, text.length()));
    return new RefusedException(status, new Problem(null, "HTTP " + status + ": " + start, null, null, null));
  }

  private static SSLContext trust(Path certificate) {
    try (InputStream file = Files.newInputStream(certificate)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(file)) {
        store.setCertificateEntry("postern-" + store.size(), each);
      }
      TrustManagerFactory trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trusted.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trusted.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException error) {
      throw new StartException("The certificate of Postern cannot be read: " + certificate + ": " + error, error);
    }
  }
}
