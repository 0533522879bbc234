// `deno task kits` makes this file from the rows of the control plane: do not edit it.
/** The calls of the control plane, with what they take and return. */
package io.github.postern.api;
