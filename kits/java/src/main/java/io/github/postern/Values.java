package io.github.postern;

import java.lang.invoke.MethodType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.*;

/** Makes the types of the kit from the values of JSON. */
final class Values {
  private Values() {}

  /**
   * Returns the value of the type for a value of JSON. Members that a record lacks are left out.
   *
   * @param type The type. With {@code List.class} and {@code Map.class}, that of the values comes after.
   */
  static Object decode(Object value, String place, Class<?>... type) {
    return type.length == 1 ? decode(value, type[0], place) : decodeAll(value, type[0], type[1], place);
  }

  private static Object decode(Object value, Type type, String place) {
    if (value == null || type == Object.class) return value;
    if (type instanceof ParameterizedType generic) {
      Type[] of = generic.getActualTypeArguments();
      return decodeAll(value, generic.getRawType(), of[of.length - 1], place);
    }
    Class<?> plain = MethodType.methodType((Class<?>) type).wrap().returnType();
    // Some members are false or "unknown" if there is nothing.
    if (value.equals(false) && plain != Boolean.class || value.equals("unknown") && plain == Long.class) return null;
    if (plain == Void.class) return null;
    if (plain.isRecord()) return decodeRecord(value, plain, place);
    if (plain.isEnum()) return findConstant(plain, value, place);
    try {
      if (plain == Integer.class) return Math.toIntExact(require(value, Long.class, place));
      if (plain == Duration.class) return toDuration(require(value, Number.class, place));
      if (plain == Instant.class) return Instant.EPOCH.plus(toDuration(require(value, Number.class, place)));
    } catch (ArithmeticException | DateTimeException outside) {
      throw mismatch(value, place, plain);
    }
    return require(value, plain, place);
  }

  private static Object decodeAll(Object value, Type of, Type type, String place) {
    if (of == Map.class) {
      Map<String, Object> decoded = new LinkedHashMap<>();
      Map<?, ?> members = require(value, Map.class, place);
      members.forEach((name, each) -> decoded.put((String) name, decode(each, type, place + "." + name)));
      return Collections.unmodifiableMap(decoded);
    }
    // One text stands for a list of one.
    List<?> values = value instanceof String text ? List.of(text) : require(value, List.class, place);
    return values.stream().map(each -> decode(each, type, place)).toList();
  }

  private static Object decodeRecord(Object value, Class<?> type, String place) {
    RecordComponent[] components = type.getRecordComponents();
    Class<?>[] types = new Class<?>[components.length];
    Object[] values = new Object[components.length];
    // One text stands for the first member.
    Map<?, ?> members = value instanceof String text ? Map.of(components[0].getName(), text)
        : require(value, Map.class, place);
    Map<Object, Object> others = new LinkedHashMap<>(members);
    for (int index = 0; index < components.length; index++) {
      RecordComponent component = components[index];
      String own = component.getName();
      // OAuth spells its members so.
      String name = members.containsKey(own) ? own : own.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
      boolean isRest = own.equals("more") && TokenSet.class.isAssignableFrom(type);
      types[index] = component.getType();
      values[index] = decode(
          isRest ? others : others.remove(name), component.getGenericType(), isRest ? place : place + "." + name);
      if (values[index] != null || !types[index].isPrimitive()) continue;
      if (types[index] != boolean.class) throw new PosternException(place + " lacks the member " + name);
      // What is not said to be so is not so.
      values[index] = false;
    }
    try {
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException error) {
      throw new PosternException("The kit cannot make " + type.getName(), error);
    }
  }

  private static Object findConstant(Class<?> type, Object value, String place) {
    return Arrays.stream(type.getEnumConstants()).filter(each -> each.toString().equals(value)).findFirst().orElseThrow(
        () -> new PosternException(place + " is " + value + ", which this kit does not know as " + type.getSimpleName()));
  }

  private static <T> T require(Object value, Class<T> type, String place) {
    if (type.isInstance(value)) return type.cast(value);
    throw mismatch(value, place, type);
  }

  /** Rounds what is finer than a nanosecond. */
  private static Duration toDuration(Number seconds) {
    BigDecimal exact = new BigDecimal(seconds.toString()).setScale(9, RoundingMode.HALF_EVEN);
    BigDecimal[] parts = exact.divideAndRemainder(BigDecimal.ONE);
    return Duration.ofSeconds(parts[0].longValueExact(), parts[1].movePointRight(9).longValueExact());
  }

  private static PosternException mismatch(Object value, String place, Class<?> expected) {
    String found = value == null ? "nothing"
        : value instanceof Number ? String.valueOf(value)
        : value instanceof Map ? "an object"
        : value instanceof List ? "a list"
        : "a " + value.getClass().getSimpleName();
    return new PosternException(place + " is " + found + ", and " + expected.getSimpleName() + " was expected");
  }
}
