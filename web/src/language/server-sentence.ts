/** Sentences of the server in the language of the console. The server writes English. */
import { KOREAN_ERRORS } from './korean-errors.ts'
import { KOREAN_FAILURES } from './korean-failures.ts'
import { KOREAN_SENTENCES } from './korean-sentences.ts'

const own = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

/** Faults of inputs and manifests end with a full stop, and those of a request do not. Both continue the name of a field. */
const withoutStop = (sentence: string): string =>
  /^[a-z]/.test(sentence) ? sentence.replace(/\.$/, '') : sentence

/** A field that app.yaml lacks, with the rule for its value. */
const MISSING = /^is missing; it (.+)$/

/** A step whose action does not accept its input, with the place and the rule. */
const MISFIT = /^The input does not fit the schema of (".+"): (.+?) ((?:is|must) .+)$/

/** A condition that cannot be read, and why. */
const UNREAD = /^The condition `([\s\S]*)` is not understood: (.+)\.$/

/** Types of which a value must have one. */
const TYPES = new Map([
  ['a string', '문자열'],
  ['a number', '숫자'],
  ['a whole number', '정수'],
  ['true or false', 'true 또는 false'],
  ['a list', '목록'],
  ['an object', '객체'],
  ['null', 'null'],
])
const TYPE = [...TYPES.keys()].join('|')
const EITHER = new RegExp(`^must be (?:${TYPE})(?: or (?:${TYPE}))+$`)

const translated = (sentence: string): string => {
  const text = withoutStop(sentence)
  const [, target, place, fault] = MISFIT.exec(text) ?? []
  if (fault !== undefined) {
    return `입력이 ${target}의 스키마에 맞지 않습니다. ${place}: ${translated(fault)}`
  }
  const [, condition, why] = UNREAD.exec(text) ?? []
  if (why !== undefined)
    return `조건식 \`${condition}\`을(를) 이해할 수 없습니다: ${translated(why)}`
  const [, rule] = MISSING.exec(text) ?? []
  if (rule !== undefined) return `값이 없습니다. ${translated(rule)}`
  if (EITHER.test(text)) {
    const types = text.match(new RegExp(TYPE, 'g')) ?? []
    return `다음 중 하나여야 합니다: ${types.map((type) => TYPES.get(type)).join(', ')}`
  }
  const found = KOREAN_SENTENCES.find(([pattern]) => pattern.test(text))
  return found === undefined ? sentence : text.replace(found[0], found[1])
}

/** Translates a reason or a fault. Sentences that the table lacks stay in English. */
export const toServerSentence = (sentence: string, language: string): string =>
  language === 'ko' ? translated(sentence) : sentence

/** Translates a refusal by its code. The server's sentence follows if it contains names, numbers or places. */
export const toRefusal = (code: string, sentence: string, language: string): string => {
  const korean = language === 'ko' ? own(KOREAN_ERRORS, code) : undefined
  if (korean === undefined) return toServerSentence(sentence, language)
  return korean.endsWith(':') ? `${korean} ${translated(sentence)}` : korean
}

/** Translates the message of a failure, or else puts what its name means before it. */
export const toFailure = (name: unknown, message: string, language: string): string => {
  const korean =
    language === 'ko' && typeof name === 'string' ? own(KOREAN_FAILURES, name) : undefined
  if (korean === undefined) return message
  const whole = translated(message)
  return whole === message ? `${korean} ${message}` : whole
}
