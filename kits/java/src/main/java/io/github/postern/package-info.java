/** A strict OAuth 2.1 and OpenID Connect server for each test: begin with {@link io.github.postern.PosternTest}. */
package io.github.postern;
