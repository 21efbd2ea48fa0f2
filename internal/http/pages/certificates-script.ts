/**
 * The script of the page /certificates, which runs in the browser (cmd/build/generate-page.ts bundles it into one text). It
 * reads the two files, shows whose certificate it is, and sends them; nothing is kept.
 */
import { readCertificateFacts } from '#core/relay/certificate-facts.ts'
import { isWholeSequence } from '#core/relay/der.ts'
import { CERTIFICATES_WORDS } from './certificates-words.ts'

/** The parts of the browser's document that this script uses. */
type PageElement = {
  hidden: boolean
  disabled: boolean
  value: string
  textContent: string
  className: string
  files: ArrayLike<File> | null
  focus(): void
  replaceChildren(): void
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}
type PageEvent = {
  preventDefault(): void
  dataTransfer?: Readonly<{ files: ArrayLike<File> }> | null
}
declare const document: {
  documentElement: Readonly<{ lang: string }>
  getElementById(id: string): PageElement | null
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}

const MAX_BYTES = 204_800
/** Bytes per call, because browsers refuse longer argument lists. */
const CHUNK = 8_192

const t = CERTIFICATES_WORDS[document.documentElement.lang === 'ko' ? 'ko' : 'en']

const element = (id: string): PageElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no ${id}.`)
  return found
}

const form = element('relay')
const code = element('code')
const send = element('send')
const said = element('said')
const seen = element('seen')

type Picked = Readonly<{ name: string; bytes: Uint8Array }>
const picked: { certDer: Picked | null; certKey: Picked | null } = { certDer: null, certKey: null }

const say = (text: string, isFault = false): void => {
  said.className = isFault ? 'fault' : ''
  said.textContent = text
}

/** @returns what is wrong with a chosen file and how to correct it; empty if nothing is wrong */
const faultOf = (part: keyof typeof picked, { bytes }: Picked): string => {
  if (bytes.length === 0) return t.empty
  if (bytes.length > MAX_BYTES) return t.tooLarge
  const isCertificate = readCertificateFacts(bytes) !== null
  if (part === 'certDer') return isCertificate ? '' : t.noCertificate
  if (isCertificate) return t.notTheKey
  return isWholeSequence(bytes) ? '' : t.noKey
}

const showCertificate = (): void => {
  const facts = picked.certDer === null ? null : readCertificateFacts(picked.certDer.bytes)
  seen.hidden = facts === null
  if (facts === null) return
  element('subject').textContent = facts.subject
  element('issuer').textContent = facts.issuer
  const until = new Date(facts.validUntil).toLocaleDateString()
  const isOver = facts.validUntil < Date.now()
  element('until').textContent = isOver ? t.expired(until) : until
}

const take = async (part: keyof typeof picked, file: File | undefined): Promise<void> => {
  if (file === undefined) return
  const read = { name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }
  const fault = faultOf(part, read)
  picked[part] = fault === '' ? read : null
  element(`${part}-name`).textContent = fault === '' ? t.ready(read.name) : fault
  showCertificate()
}

/** Recognizes the files by their content: people drop both at once, under any names. */
const takeDropped = async (files: ArrayLike<File>): Promise<void> => {
  for (const file of Array.from(files)) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    await take(readCertificateFacts(bytes) === null ? 'certKey' : 'certDer', file)
  }
}

const toBase64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK) {
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  }
  return btoa(text)
}

/** A text field of a response; empty if it is missing or not a text. */
const fieldOf = (answer: unknown, name: string): string => {
  const fields = new Map(Object.entries(answer ?? {}))
  const value: unknown = fields.get(name)
  return typeof value === 'string' ? value : ''
}

/** @throws {Error} with the sentence to show */
const post = async (path: string, body: object): Promise<unknown> => {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  }).catch(() => null)
  if (response === null) throw new Error(t.unreachable)
  const answer: unknown = await response.json().catch(() => null)
  if (!response.ok) {
    const given = t.isOfServer ? fieldOf(answer, 'error') : ''
    throw new Error(t.refusals[fieldOf(answer, 'code')] ?? (given || t.failed))
  }
  return answer
}

const submit = async (): Promise<void> => {
  // Korean keyboards may write digits in full width
  const digits = code.value.normalize('NFKC').replaceAll(/[\s-]/g, '')
  if (!/^[0-9]{6}$/.test(digits)) {
    code.focus()
    throw new Error(t.sixDigits)
  }
  const { certDer, certKey } = picked
  if (certDer === null || certKey === null) {
    element(certDer === null ? 'certDer' : 'certKey').focus()
    throw new Error(t.bothFiles)
  }
  say(t.sending)
  const certId = fieldOf(await post('/v2/certificates/resolve', { code: digits }), 'certId')
  await post(`/v2/certificates/upload/${encodeURIComponent(certId)}`, {
    certDer: toBase64(certDer.bytes),
    certKey: toBase64(certKey.bytes),
  })
  form.hidden = true
  picked.certDer = null
  picked.certKey = null
  form.replaceChildren()
  say(t.sent)
  said.focus()
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  send.disabled = true
  submit()
    .catch((error: unknown) => say(error instanceof Error ? error.message : t.failed, true))
    .finally(() => {
      send.disabled = false
    })
})
for (const part of ['certDer', 'certKey'] as const) {
  const input = element(part)
  input.addEventListener('change', () => {
    take(part, input.files?.[0]).catch(() => say(t.unreadable, true))
  })
}
document.addEventListener('dragover', (event) => event.preventDefault())
document.addEventListener('drop', (event) => {
  event.preventDefault()
  takeDropped(event.dataTransfer?.files ?? []).catch(() => say(t.unreadable, true))
})
form.hidden = false
