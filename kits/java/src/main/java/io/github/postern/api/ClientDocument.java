// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Map;

/**
 * The document of a client. The server fetches it without a network.
 *
 * @param clientId The URL of the document. It is the id of the client.
 * @param metadata The members of the document.
 * @param requests How often the server has fetched the document.
 * @param id The name of the document in the paths of other calls, for example document-1. May be
 * null.
 * @param answer The answer instead of the document, if a call has set one. May be null.
 */
public record ClientDocument(
    String clientId,
    Map<String, Object> metadata,
    int requests,
    String id,
    DocumentAnswer answer) {}
