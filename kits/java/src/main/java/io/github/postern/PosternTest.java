package io.github.postern;

import java.lang.annotation.*;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a {@link Postern} of its own to each test of the class that has such a parameter:
 * {@code @Test void signsIn(Postern postern)}. Methods with {@code @BeforeEach} and {@code @AfterEach} get
 * that of their test. A failed test shows the flow, and why Postern refused the last request.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@ExtendWith(PosternExtension.class)
public @interface PosternTest {
  /**
   * Whether the tests share {@link Postern#shared}, which an application that outlives a test needs. It is
   * reset before each test. Such tests cannot run in parallel.
   */
  boolean shared() default false;
}
