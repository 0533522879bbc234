/** The errors of engines and runtimes themselves, by the forms of their messages. */

import { readThrownParts } from "./describe_thrown.ts";

/**
 * An engine, or a runtime with its own functions. Deno, Node and Chromium have V8, Bun and Safari have JavaScriptCore, and
 * Firefox has SpiderMonkey.
 */
type Thrower =
  | ("V8" | "JavaScriptCore" | "SpiderMonkey" | "CPython" | "JVM")
  | ("deno" | "node" | "bun" | "chromium" | "firefox" | "safari");

type Form = readonly [of: readonly Thrower[], message: RegExp];

/** Libraries throw errors of these classes, too, to refuse something. */
export function isEngineError(thrown: unknown): boolean {
  const { name, message } = readThrownParts(thrown);
  return Object.hasOwn(engineForms, name) && engineForms[name]!.some(([, form]) => form.test(message));
}

/** A client may let its runtime refuse: by a fatal TextDecoder, by a request that follows no redirect or has no host, or by a limit. */
export function isRefusalByRuntime(thrown: unknown): boolean {
  const { message } = readThrownParts(thrown);
  return [runtimeRefusals, refusesAddressWithoutHost, refusesCodings].some((each) => each.test(message));
}

const runtimeRefusals =
  /(?:^|: )(?:The encoded data (?:is|was) not valid(?: for encoding \S+)?\.?|Decoding failed\.|unexpected redirect|Encountered redirect while redirect mode is set to 'error')$|^UnexpectedRedirect fetching /;

const refusesCodings = /^too many content-encodings in response: \d+, maximum allowed is \d+$/;

const refusesAddressWithoutHost = /^(?:Failed to parse URL from \/|Invalid URL: '\/[^']*'$)/;

/** Whether an error of this class is one of the engine, if nothing says that the client threw it: clients refuse with ValueError. */
export function hasEngineName(name: string): boolean {
  return Object.hasOwn(engineForms, name) && name !== "ValueError";
}

// V8 quotes the part of the program. Unlike a sentence, it has no spaces and no quotation marks.
const part = String.raw`(?:\(intermediate value\)|[^\s"'\`])+`;

const by = (...of: readonly Thrower[]) => (message: RegExp): Form => [of, message];

const v8 = by("V8");
const javaScriptCore = by("JavaScriptCore");
const spiderMonkey = by("SpiderMonkey");
const cPython = by("CPython");
const jvm = by("JVM");
const most = by("V8", "JavaScriptCore");
const all = by("V8", "JavaScriptCore", "SpiderMonkey");

export const engineForms: Readonly<Record<string, readonly Form[]>> = {
  TypeError: [
    // A property of undefined or null.
    v8(/^Cannot (?:read|set) properties of (?:undefined|null) \((?:reading|setting) '.*'\)$/s),
    v8(/^Cannot destructure (?:property )?'.*' as it is (?:undefined|null)\.$/s),
    v8(/^Cannot convert undefined or null to object$/),
    v8(/^[A-Z]\w+(?:\.\w+)+ called on (?:null or undefined|non-object)$/),
    javaScriptCore(/^(?:undefined|null) is not an object(?: \(evaluating '.*'\))?$/s),
    javaScriptCore(/^Cannot destructure (?:property '.*' from )?null or undefined value$/s),
    javaScriptCore(/^(?:Array|Object|Reflect)(?:\.\w+)+ requires (?:that |an |the )/),
    spiderMonkey(/^can't access property /),
    spiderMonkey(new RegExp(`^(?:${part}|\\(destructured parameter\\)) is (?:undefined|null)$`)),
    spiderMonkey(/^\S+ argument of \S+ must be an object, got /),
    // A call of what is no function.
    by("V8", "SpiderMonkey")(
      new RegExp(`^${part} is not a (?:function|constructor)(?: or its return value is not iterable)?$`),
    ),
    spiderMonkey(/^[^"=]*=> [^"]* is not a constructor$/),
    spiderMonkey(/^invalid (?:Array|%TypedArray%)\.prototype\.sort argument$/),
    spiderMonkey(/^class constructors must be invoked with 'new'$/),
    spiderMonkey(/^class heritage /),
    v8(/^Promise resolver .+ is not a function$/s),
    v8(/^The comparison function must be either a function or undefined/),
    v8(/^Class constructor \S* ?cannot be invoked without 'new'$/),
    v8(/^Class extends value .+ is not a constructor or null$/s),
    javaScriptCore(/^.+ is not a (?:function\. \(In|constructor \(evaluating) '.+$/s),
    javaScriptCore(/^Array(?:\.\w+)+ callback must be a function$/),
    javaScriptCore(/^Promise constructor takes a function argument$/),
    javaScriptCore(/^Cannot call a class constructor \S* ?without \|new\|$/),
    javaScriptCore(/^The superclass is not a constructor\.$/),
    // What is not iterable.
    all(
      new RegExp(
        `^(?:(?:object|number) )?${part} is not (?:async )?iterable(?: \\(cannot read property .+\\))?$`,
      ),
    ),
    most(
      /^Spread syntax requires \.\.\.iterable(?:\[Symbol\.iterator\] to be a function| not be null or undefined)$/,
    ),
    v8(/^Iterator value .+ is not an entry object$/s),
    // So JavaScriptCore says that a Map cannot be made of the value, or that the object is of another class.
    javaScriptCore(/^Type error$/),
    spiderMonkey(/^iterable for \S+ should have array-like objects$/),
    // Operators.
    v8(/^Cannot use 'in' operator to search for '.*' in /s),
    v8(/^Right-hand side of 'instanceof' is not (?:an object|callable)$/),
    v8(/^Cannot convert (?:a Symbol value to a (?:string|number)|object to primitive value)$/),
    v8(
      /^Cannot (?:mix BigInt and other types, use explicit conversions|convert a BigInt value to a number)$/,
    ),
    javaScriptCore(/^.+ is not (?:an Object|a function)\. \(evaluating '.+$/s),
    javaScriptCore(/^Right hand side of instanceof is not an object$/),
    javaScriptCore(/^(?:Cannot convert a symbol to a (?:string|number)|No default value)$/),
    javaScriptCore(/^(?:Invalid mix of BigInt and other type in |Conversion from 'BigInt' to 'number' )/),
    spiderMonkey(/^cannot use 'in' operator to search for /),
    spiderMonkey(/^(?:right-hand side of 'in' should be an object, got |invalid 'instanceof' operand )/),
    spiderMonkey(/^can't convert .+ to (?:object|string|number|primitive type|BigInt)$/s),
    // Objects that cannot be changed.
    v8(/^Assignment to constant variable\.$/),
    v8(/^Cannot assign to read only property '.+'$/s),
    v8(/^Cannot (?:add|define) property .+, object is not extensible$/s),
    v8(/^Cannot delete property '.+' of /s),
    v8(/^Cannot set property .+ which has only a getter$/s),
    javaScriptCore(/^Attempted to assign to readonly property\.$/),
    javaScriptCore(/^Attempting to define property on object that is not extensible\.$/),
    javaScriptCore(/^Unable to delete property\.$/),
    spiderMonkey(/^(?:invalid assignment to const '|setting getter-only property )/),
    spiderMonkey(/^".+" is read-only$/s),
    spiderMonkey(/^can't define (?:property ".+": Object is|array index property past the end )/s),
    spiderMonkey(/^property .+ is non-configurable and can't be deleted$/s),
    // Functions of the language.
    all(/^[Rr]educe of empty array with no initial value$/),
    v8(/^(?:Do not know how to serialize a BigInt$|Converting circular structure to JSON\n)/),
    v8(/^Method \S+ called on incompatible receiver /),
    v8(/^this is not a Date object\.$/),
    v8(/^Cannot (?:read|write) private member #\w+ (?:from|to) an object whose class did not declare it$/),
    javaScriptCore(/^JSON\.stringify cannot serialize (?:BigInt|cyclic structures)\.$/),
    javaScriptCore(/^\w+ operation called on non-\w+ object$/),
    javaScriptCore(/^Cannot access invalid private field \(evaluating '.+'\)$/s),
    spiderMonkey(/^(?:BigInt value can't be serialized in JSON|cyclic object value)$/),
    spiderMonkey(/^(?:\S+ method|\w+\.prototype\S+) called on incompatible /),
    spiderMonkey(/^can't (?:access|set) private field(?: or method)?: object is not the right class$/),
    // URLs.
    by("node", "bun")(/^Invalid URL$/),
    by("node")(/^Failed to parse URL from /),
    by("deno")(/^Invalid URL: '.*'$/s),
    by("chromium")(
      /^Failed to (?:construct|execute) '\w+'(?: on '\w+')?: (?:Invalid |Failed to parse )(?:base )?URL/,
    ),
    by("bun")(
      /^(?:Failed to construct 'Request': Invalid URL ".*"|fetch\(\) URL (?:is invalid|must not be a blank string\.))$/s,
    ),
    by("firefox")(
      /^(?:\w+ constructor|\w+\.fetch): .* is (?:not a valid URL|an url with embedded credentials)\.$/s,
    ),
    by("safari")(/^".*" cannot be parsed as a URL(?:\.$| against ")/s),
    by("safari")(/^URL is not valid or contains user credentials\.$/),
    // Arguments of another type.
    by("deno", "node", "bun")(/^The (?:\w+|"[^"]+") argument must be .+\. Received /s),
    by("deno", "node", "chromium")(/^(?:Illegal invocation|Value of "this" must be of type \w+)$/),
    by("firefox")(/^'\w+' called on an object that does not implement interface \w+\.$/),
    by("bun", "safari")(/^Can only call \w+\.\w+ on instances of \w+$/),
    // Clients in Python tell their errors over HTTP.
    cPython(/^'\w+' object (?:is not \w+|does not support item \w+)$/),
    cPython(/^(?:argument|object) of type '\w+' (?:is not |has no len\(\)$)/),
    cPython(/^(?:unsupported operand type\(s\) for |can only concatenate |cannot unpack non-iterable )/),
    cPython(/^(?:'\S+' not supported between instances of |\w+ indices must be integers|unhashable type: )/),
    cPython(/^\S+\(\) (?:missing \d+ required |takes |got an unexpected keyword |argument must be )/),
    cPython(/^the JSON object must be str, bytes or bytearray, not \w+$/),
  ],
  AttributeError: [cPython(/^'\w+' object has no attribute '\w+'/)],
  NameError: [cPython(/^name '\w+' is not defined/)],
  // The message is the key alone.
  KeyError: [cPython(/^'[^']*'$/)],
  ValueError: [cPython(/^(?:not enough|too many) values to unpack \(expected /)],
  StopIteration: [cPython(/^$/)],
  IndexError: [cPython(/^\w+ index out of range$/)],
  ReferenceError: [
    all(/^[\w$]+ is not defined$/),
    most(/^Cannot access '[\w$]+' before initialization\.?$/),
    v8(/^Must call super constructor in derived class before accessing 'this'/),
    javaScriptCore(/^'super\(\)' must be called in derived constructor before accessing \|this\|/),
    spiderMonkey(/^can't access lexical declaration '[\w$]+' before initialization$/),
    spiderMonkey(/^(?:must call super constructor before using 'this'|assignment to undeclared variable )/),
    by("safari")(/^(?:Can't find variable: [\w$]+|Cannot access uninitialized variable\.)$/),
  ],
  RangeError: [
    most(/^Maximum call stack size exceeded\.?$/),
    all(/^[Ii]nvalid array length$/),
    by("chromium")(/^Failed to set the 'length' property on 'Array': Invalid array length$/),
    most(/^to(?:Fixed|Precision|String)\(\) (?:digits |radix )?argument must be between \d+ and \d+$/),
    v8(/^Invalid (?:time value|count value: .+|string length|code point .+|typed array length: .+)$/),
    v8(/^The number .+ cannot be converted to a BigInt because it is not an integer$/),
    v8(/^Offset is outside the bounds of the DataView$/),
    javaScriptCore(/^Array length must be a positive integer of safe magnitude\.$/),
    javaScriptCore(/^(?:Invalid Date|date value is not finite in DateTimeFormat format\(\))$/),
    javaScriptCore(
      /^String\.prototype\.repeat argument must be greater than or equal to 0 and not be Infinity$/,
    ),
    javaScriptCore(/^Arguments contain a value that is out of range of code points$/),
    javaScriptCore(/^(?:Out of memory|Out of bounds access|Not an integer|length cannot be negative)$/),
    spiderMonkey(/^(?:invalid date|date value is not finite in DateTimeFormat\.format\(\))$/),
    spiderMonkey(/^repeat count must be (?:non-negative$|less than infinity )/),
    spiderMonkey(/^(?:precision .+ out of range|radix must be an integer at least 2 and .+)$/),
    spiderMonkey(
      /^.+ (?:is not a valid code point|can't be converted to BigInt because it isn't an integer)$/,
    ),
    spiderMonkey(/^offset is outside the bounds of the DataView$/),
  ],
  // Only SpiderMonkey has this class.
  InternalError: [spiderMonkey(/^/)],
  // Clients in Java tell the full names of their classes. Some of these exceptions have no message.
  "java.lang.NullPointerException": [
    jvm(/^(?:Cannot (?:invoke|read|assign|load|store|throw|enter|exit) .+ is null)?$/s),
  ],
  "java.lang.ClassCastException": [jvm(/^class \S+ cannot be cast to class \S+ \(.+\)$/s)],
  "java.lang.IndexOutOfBoundsException": [
    jvm(/^(?:Index -?\d+ out of bounds for length \d+|Index: -?\d+,? Size: \d+|(?:from|to)Index = -?\d+)$/),
  ],
  "java.lang.ArrayIndexOutOfBoundsException": [jvm(/^Index -?\d+ out of bounds for length \d+$/)],
  "java.lang.StringIndexOutOfBoundsException": [
    jvm(/^(?:begin -?\d+, end -?\d+, length \d+|index -?\d+, ?length \d+|String index out of range: -?\d+)$/),
    jvm(/^Index -?\d+ out of bounds for length \d+$/),
  ],
  "java.util.NoSuchElementException": [jvm(/^(?:No value present|No line found)?$/)],
};
