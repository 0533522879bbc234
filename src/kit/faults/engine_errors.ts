/** The errors of engines and runtimes themselves, by the forms of their messages. */

import { readThrownParts } from "./describe_thrown.ts";

/**
 * An engine, or a runtime with its own functions. Deno, Node and Chromium have V8, Bun and Safari have JavaScriptCore, and
 * Firefox has SpiderMonkey.
 */
type Thrower =
  | ("V8" | "JavaScriptCore" | "SpiderMonkey" | "CPython")
  | ("deno" | "node" | "bun" | "chromium" | "firefox" | "safari");

type Form = readonly [of: readonly Thrower[], message: RegExp];

/** Libraries throw errors of these classes, too, to refuse something. */
export function isEngineError(thrown: unknown): boolean {
  const { name, message } = readThrownParts(thrown);
  return hasEngineName(name) && engineForms[name]!.some(([, form]) => form.test(message));
}

export function hasEngineName(name: string): boolean {
  return Object.hasOwn(engineForms, name);
}

// V8 quotes the part of the program. Unlike a sentence, it has no spaces and no quotation marks.
const part = String.raw`(?:\(intermediate value\)|[^\s"'\`])+`;

const most: readonly Thrower[] = ["V8", "JavaScriptCore"];
const all: readonly Thrower[] = [...most, "SpiderMonkey"];

export const engineForms: Readonly<Record<string, readonly Form[]>> = {
  TypeError: [
    // A property of undefined or null.
    [["V8"], /^Cannot (?:read|set) properties of (?:undefined|null) \((?:reading|setting) '.*'\)$/s],
    [["V8"], /^Cannot destructure (?:property )?'.*' as it is (?:undefined|null)\.$/s],
    [["V8"], /^Cannot convert undefined or null to object$/],
    [["V8"], /^[A-Z]\w+(?:\.\w+)+ called on (?:null or undefined|non-object)$/],
    [["JavaScriptCore"], /^(?:undefined|null) is not an object(?: \(evaluating '.*'\))?$/s],
    [["JavaScriptCore"], /^Cannot destructure (?:property '.*' from )?null or undefined value$/s],
    [["JavaScriptCore"], /^(?:Array|Object|Reflect)(?:\.\w+)+ requires (?:that |an |the )/],
    [["SpiderMonkey"], /^can't access property /],
    [["SpiderMonkey"], new RegExp(`^(?:${part}|\\(destructured parameter\\)) is (?:undefined|null)$`)],
    [["SpiderMonkey"], /^\S+ argument of \S+ must be an object, got /],
    // A call of what is no function.
    [
      ["V8", "SpiderMonkey"],
      new RegExp(`^${part} is not a (?:function|constructor)(?: or its return value is not iterable)?$`),
    ],
    [["SpiderMonkey"], /^[^"=]*=> [^"]* is not a constructor$/],
    [["SpiderMonkey"], /^invalid (?:Array|%TypedArray%)\.prototype\.sort argument$/],
    [["SpiderMonkey"], /^class constructors must be invoked with 'new'$/],
    [["SpiderMonkey"], /^class heritage /],
    [["V8"], /^Promise resolver .+ is not a function$/s],
    [["V8"], /^The comparison function must be either a function or undefined/],
    [["V8"], /^Class constructor \S* ?cannot be invoked without 'new'$/],
    [["V8"], /^Class extends value .+ is not a constructor or null$/s],
    [["JavaScriptCore"], /^.+ is not a (?:function\. \(In|constructor \(evaluating) '.+$/s],
    [["JavaScriptCore"], /^Array(?:\.\w+)+ callback must be a function$/],
    [["JavaScriptCore"], /^Array(?:\.\w+)+ requires the comparator argument to be a function or undefined$/],
    [["JavaScriptCore"], /^Promise constructor takes a function argument$/],
    [["JavaScriptCore"], /^Cannot call a class constructor \S* ?without \|new\|$/],
    [["JavaScriptCore"], /^The superclass is not a constructor\.$/],
    // What is not iterable.
    [
      all,
      new RegExp(
        `^(?:(?:object|number) )?${part} is not (?:async )?iterable(?: \\(cannot read property .+\\))?$`,
      ),
    ],
    [
      most,
      /^Spread syntax requires \.\.\.iterable(?:\[Symbol\.iterator\] to be a function| not be null or undefined)$/,
    ],
    [["V8"], /^Iterator value .+ is not an entry object$/s],
    // So JavaScriptCore says that a Map cannot be made of the value, or that the object is of another class.
    [["JavaScriptCore"], /^Type error$/],
    [["SpiderMonkey"], /^iterable for \S+ should have array-like objects$/],
    // Operators.
    [["V8"], /^Cannot use 'in' operator to search for '.*' in /s],
    [["V8"], /^Right-hand side of 'instanceof' is not (?:an object|callable)$/],
    [["V8"], /^Cannot convert (?:a Symbol value to a (?:string|number)|object to primitive value)$/],
    [
      ["V8"],
      /^Cannot (?:mix BigInt and other types, use explicit conversions|convert a BigInt value to a number)$/,
    ],
    [["JavaScriptCore"], /^.+ is not (?:an Object|a function)\. \(evaluating '.+$/s],
    [["JavaScriptCore"], /^Right hand side of instanceof is not an object$/],
    [["JavaScriptCore"], /^(?:Cannot convert a symbol to a (?:string|number)|No default value)$/],
    [
      ["JavaScriptCore"],
      /^(?:Invalid mix of BigInt and other type in |Conversion from 'BigInt' to 'number' )/,
    ],
    [["SpiderMonkey"], /^cannot use 'in' operator to search for /],
    [
      ["SpiderMonkey"],
      /^(?:right-hand side of 'in' should be an object, got |invalid 'instanceof' operand )/,
    ],
    [["SpiderMonkey"], /^can't convert .+ to (?:object|string|number|primitive type|BigInt)$/s],
    // Objects that cannot be changed.
    [["V8"], /^Assignment to constant variable\.$/],
    [["V8"], /^Cannot assign to read only property '.+'$/s],
    [["V8"], /^Cannot (?:add|define) property .+, object is not extensible$/s],
    [["V8"], /^Cannot delete property '.+' of /s],
    [["V8"], /^Cannot set property .+ which has only a getter$/s],
    [["JavaScriptCore"], /^Attempted to assign to readonly property\.$/],
    [["JavaScriptCore"], /^Attempting to define property on object that is not extensible\.$/],
    [["JavaScriptCore"], /^Unable to delete property\.$/],
    [["SpiderMonkey"], /^(?:invalid assignment to const '|setting getter-only property )/],
    [["SpiderMonkey"], /^".+" is read-only$/s],
    [["SpiderMonkey"], /^can't define (?:property ".+": Object is|array index property past the end )/s],
    [["SpiderMonkey"], /^property .+ is non-configurable and can't be deleted$/s],
    // Functions of the language.
    [all, /^[Rr]educe of empty array with no initial value$/],
    [["V8"], /^(?:Do not know how to serialize a BigInt$|Converting circular structure to JSON\n)/],
    [["V8"], /^Method \S+ called on incompatible receiver /],
    [["V8"], /^this is not a Date object\.$/],
    [
      ["V8"],
      /^Cannot (?:read|write) private member #\w+ (?:from|to) an object whose class did not declare it$/,
    ],
    [["JavaScriptCore"], /^JSON\.stringify cannot serialize (?:BigInt|cyclic structures)\.$/],
    [["JavaScriptCore"], /^\w+ operation called on non-\w+ object$/],
    [["JavaScriptCore"], /^Cannot access invalid private field \(evaluating '.+'\)$/s],
    [["SpiderMonkey"], /^(?:BigInt value can't be serialized in JSON|cyclic object value)$/],
    [["SpiderMonkey"], /^(?:\S+ method|\w+\.prototype\S+) called on incompatible /],
    [["SpiderMonkey"], /^can't (?:access|set) private field(?: or method)?: object is not the right class$/],
    // URLs.
    [["node", "bun"], /^Invalid URL$/],
    [["node"], /^Failed to parse URL from /],
    [["deno"], /^Invalid URL: '.*'$/s],
    [
      ["chromium"],
      /^Failed to (?:construct|execute) '\w+'(?: on '\w+')?: (?:Invalid |Failed to parse )(?:base )?URL/,
    ],
    [
      ["bun"],
      /^(?:Failed to construct 'Request': Invalid URL ".*"|fetch\(\) URL (?:is invalid|must not be a blank string\.))$/s,
    ],
    [
      ["firefox"],
      /^(?:\w+ constructor|\w+\.fetch): .* is (?:not a valid URL|an url with embedded credentials)\.$/s,
    ],
    [["safari"], /^".*" cannot be parsed as a URL(?:\.$| against ")/s],
    [["safari"], /^URL is not valid or contains user credentials\.$/],
    // Arguments of another type.
    [["deno", "node", "bun"], /^The (?:\w+|"[^"]+") argument must be .+\. Received /s],
    [["deno", "node", "chromium"], /^(?:Illegal invocation|Value of "this" must be of type \w+)$/],
    [["firefox"], /^'\w+' called on an object that does not implement interface \w+\.$/],
    [["bun", "safari"], /^Can only call \w+\.\w+ on instances of \w+$/],
    // Clients in Python tell their errors over HTTP.
    [["CPython"], /^'\w+' object (?:is not \w+|does not support item \w+)$/],
    [["CPython"], /^(?:argument|object) of type '\w+' (?:is not |has no len\(\)$)/],
    [
      ["CPython"],
      /^(?:unsupported operand type\(s\) for |can only concatenate |cannot unpack non-iterable )/,
    ],
    [
      ["CPython"],
      /^(?:'\S+' not supported between instances of |\w+ indices must be integers|unhashable type: )/,
    ],
    [["CPython"], /^\S+\(\) (?:missing \d+ required |takes |got an unexpected keyword |argument must be )/],
    [["CPython"], /^the JSON object must be str, bytes or bytearray, not \w+$/],
  ],
  AttributeError: [[["CPython"], /^'\w+' object has no attribute '\w+'/]],
  NameError: [[["CPython"], /^name '\w+' is not defined/]],
  // The message is the key alone.
  KeyError: [[["CPython"], /^'[^']*'$/]],
  IndexError: [[["CPython"], /^\w+ index out of range$/]],
  ReferenceError: [
    [all, /^[\w$]+ is not defined$/],
    [most, /^Cannot access '[\w$]+' before initialization\.?$/],
    [["V8"], /^Must call super constructor in derived class before accessing 'this'/],
    [["JavaScriptCore"], /^'super\(\)' must be called in derived constructor before accessing \|this\|/],
    [["SpiderMonkey"], /^can't access lexical declaration '[\w$]+' before initialization$/],
    [
      ["SpiderMonkey"],
      /^(?:must call super constructor before using 'this'|assignment to undeclared variable )/,
    ],
    [["safari"], /^(?:Can't find variable: [\w$]+|Cannot access uninitialized variable\.)$/],
  ],
  RangeError: [
    [most, /^Maximum call stack size exceeded\.?$/],
    [all, /^[Ii]nvalid array length$/],
    [["chromium"], /^Failed to set the 'length' property on 'Array': Invalid array length$/],
    [most, /^to(?:Fixed|Precision|String)\(\) (?:digits |radix )?argument must be between \d+ and \d+$/],
    [["V8"], /^Invalid (?:time value|count value: .+|string length|code point .+|typed array length: .+)$/],
    [["V8"], /^The number .+ cannot be converted to a BigInt because it is not an integer$/],
    [["V8"], /^Offset is outside the bounds of the DataView$/],
    [["JavaScriptCore"], /^Array length must be a positive integer of safe magnitude\.$/],
    [["JavaScriptCore"], /^(?:Invalid Date|date value is not finite in DateTimeFormat format\(\))$/],
    [
      ["JavaScriptCore"],
      /^String\.prototype\.repeat argument must be greater than or equal to 0 and not be Infinity$/,
    ],
    [["JavaScriptCore"], /^Arguments contain a value that is out of range of code points$/],
    [["JavaScriptCore"], /^(?:Out of memory|Out of bounds access|Not an integer|length cannot be negative)$/],
    [["SpiderMonkey"], /^(?:invalid date|date value is not finite in DateTimeFormat\.format\(\))$/],
    [["SpiderMonkey"], /^repeat count must be (?:non-negative$|less than infinity )/],
    [["SpiderMonkey"], /^(?:precision .+ out of range|radix must be an integer at least 2 and .+)$/],
    [
      ["SpiderMonkey"],
      /^.+ (?:is not a valid code point|can't be converted to BigInt because it isn't an integer)$/,
    ],
    [["SpiderMonkey"], /^offset is outside the bounds of the DataView$/],
  ],
  // Only SpiderMonkey has this class.
  InternalError: [[["SpiderMonkey"], /^/]],
};
