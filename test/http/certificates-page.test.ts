/**
 * The page /certificates: its policy allows only its own style and script, and its script does what the visitor asks for.
 * The script runs here on a minimal document, against the real routes.
 */
import { createHash } from 'node:crypto'
import vm from 'node:vm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../support/create-test-app.ts'
import { createRelayCaller, MATERIAL, type RelayCaller } from '../support/relay-caller.ts'

let app: TestApp
let phone: RelayCaller
let text = ''
let policy = ''
beforeAll(async () => {
  app = await createTestApp()
  phone = await createRelayCaller(app)
  const answer = await app.call('GET', '/certificates')
  expect([answer.status, answer.headers.get('content-type')]).toEqual([
    200,
    'text/html; charset=utf-8',
  ])
  text = answer.text
  policy = answer.headers.get('content-security-policy') ?? ''
})
afterAll(() => app.close())

const inside = (tag: string): string =>
  new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text)?.[1] ?? ''
const langOf = (page: string): string => /<html lang="(\w+)"/.exec(page)?.[1] ?? ''
const hashOf = (content: string): string =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`

describe('the page', () => {
  it('loads only its own style and script, and connects only to svc', () => {
    expect(policy.split('; ').toSorted()).toEqual(
      [
        "default-src 'none'",
        `style-src ${hashOf(inside('style'))}`,
        `script-src ${hashOf(inside('script'))}`,
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].toSorted(),
    )
    expect(text).not.toMatch(/https?:\/\/|src=|@import|url\(|\son[a-z]+=|style="/)
  })

  it('has a label for each field, and explains what happens and what to do without a script', () => {
    const inputs = [...text.matchAll(/<input id="(\w+)"/g)].map(([, id]) => id)
    expect(inputs).toEqual(['code', 'certDer', 'certKey'])
    for (const id of inputs) expect(text).toContain(`<label for="${id}">`)
    const described = [...text.matchAll(/aria-describedby="([\w-]+)"/g)].map(([, id]) => id)
    for (const id of described) expect(text).toMatch(new RegExp(`id="${id}"[^>]*role="status"`))
    expect(inside('noscript')).toMatch(/scripts are off/)
    // nothing that looks usable but does not work
    expect(text).toMatch(/<form id="relay" hidden/)
  })

  it('has no script beyond what it needs', () => {
    expect(inside('script').length).toBeLessThan(8_000)
  })

  it('speaks Korean to a browser that asks for it', async () => {
    const headers = { 'accept-language': 'ko-KR,ko;q=0.9,en;q=0.8' }
    const korean = await app.call('GET', '/certificates', { headers })
    expect([langOf(text), langOf(korean.text)]).toEqual(['en', 'ko'])
    expect(korean.text).toContain('휴대폰으로 보내기')
    expect(korean.text).not.toMatch(/Send to the phone|Or drop both/)
  })
})

type Listener = (event: object) => void

class FakeElement {
  hidden = false
  disabled = false
  value = ''
  textContent = ''
  className = ''
  files: readonly File[] = []
  isFocused = false
  readonly listeners = new Map<string, Listener>()
  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, listener)
  }
  focus(): void {
    this.isFocused = true
  }
  replaceChildren(): void {
    this.value = ''
  }
  tell(type: string, event: object = {}): void {
    this.listeners.get(type)?.({ preventDefault: () => undefined, ...event })
  }
}

const fileOf = (name: string, base64: string): File =>
  new File([Buffer.from(base64, 'base64')], name)
const DER = fileOf('signCert.der', MATERIAL.certDer)
const KEY = fileOf('signPri.key', MATERIAL.certKey)

describe('its script', () => {
  let elements: Map<string, FakeElement>
  let page: FakeElement
  /** The body of an error that the server returns in place of its own response. */
  let refusal: Readonly<{ error: string; code: string }> | null = null
  const at = (id: string): FakeElement => elements.get(id) ?? new FakeElement()
  const load = (lang: string): void => {
    const ids = [...text.matchAll(/ id="([\w-]+)"/g)].map(([, id = '']) => id)
    elements = new Map(ids.map((id) => [id, new FakeElement()]))
    at('seen').hidden = true
    page = new FakeElement()
    const document = {
      documentElement: { lang },
      getElementById: (id: string) => elements.get(id) ?? null,
      addEventListener: (type: string, listener: Listener) => page.addEventListener(type, listener),
    }
    const fetchHere = async (path: string, init: { body: string }) => {
      if (refusal !== null) return { ok: false, status: 400, json: async () => refusal }
      const { status, json } = await app.call('POST', path, { json: JSON.parse(init.body) })
      return { ok: status === 200, status, json: async () => json }
    }
    vm.runInNewContext(inside('script'), {
      ...{ document, TextDecoder, Uint8Array, btoa, encodeURIComponent },
      fetch: fetchHere,
    })
  }
  beforeEach(() => {
    refusal = null
    load('en')
  })
  const choose = async (part: 'certDer' | 'certKey', file: File): Promise<string> => {
    at(part).files = [file]
    at(`${part}-name`).textContent = ''
    at(part).tell('change')
    await expect.poll(() => at(`${part}-name`).textContent).not.toBe('')
    return at(`${part}-name`).textContent
  }
  const sendAndHear = async (): Promise<string> => {
    at('said').textContent = ''
    at('relay').tell('submit')
    await expect.poll(() => at('said').textContent).toMatch(/[.]$/)
    return at('said').textContent
  }

  it('shows whose certificate it is, and sends both files to the phone with the code', async () => {
    const { certId, code } = await phone.open()
    expect(await choose('certDer', DER)).toBe('signCert.der is ready.')
    expect(at('seen').hidden).toBe(false)
    expect(at('subject').textContent).toMatch(/^cn=홍길동.*c=kr$/)
    expect(at('until').textContent).not.toMatch(/expired/)
    expect(await choose('certKey', KEY)).toBe('signPri.key is ready.')
    at('code').value = `${code.slice(0, 3)} ${code.slice(3)}`
    expect(await sendAndHear()).toMatch(/^Sent\./)
    expect([at('relay').hidden, at('said').isFocused]).toEqual([true, true])
    expect((await phone.receive(certId)).json).toMatchObject(MATERIAL)
  })

  it('takes both files dropped at once, and knows which is which', async () => {
    const files = [fileOf('b', MATERIAL.certKey), fileOf('a', MATERIAL.certDer)]
    page.tell('drop', { dataTransfer: { files } })
    await expect.poll(() => at('certDer-name').textContent).toBe('a is ready.')
    expect(at('certKey-name').textContent).toBe('b is ready.')
  })

  it('names the file that is wrong', async () => {
    expect(await choose('certDer', KEY)).toMatch(/not a certificate/)
    expect(at('seen').hidden).toBe(true)
    expect(await choose('certKey', DER)).toMatch(/not its key/)
    expect(await choose('certKey', new File([], 'signPri.key'))).toMatch(/empty/)
    expect(await choose('certKey', new File(['-----BEGIN KEY'], 'k.pem'))).toMatch(
      /not a private key/,
    )
    expect(await choose('certKey', new File(['x'.repeat(204_801)], 'k'))).toMatch(/200 KB/)
  })

  it('focuses what is missing, and shows the server’s message', async () => {
    at('code').value = '12345'
    expect(await sendAndHear()).toMatch(/six digits/)
    expect(at('code').isFocused).toBe(true)
    at('code').value = '123456'
    expect(await sendAndHear()).toMatch(/both files/)
    expect(at('certDer').isFocused).toBe(true)
    await choose('certDer', DER)
    await choose('certKey', KEY)
    expect(await sendAndHear()).toMatch(/No session has this code/)
    expect([at('said').className, at('send').disabled]).toEqual(['fault', false])
    const { certId, code } = await phone.open()
    await phone.upload(certId)
    at('code').value = code
    expect(await sendAndHear()).toMatch(/already uploaded/)
  })

  it('has all texts in Korean on a Korean page', async () => {
    load('ko')
    expect(await choose('certDer', KEY)).toMatch(/인증서가 아닙니다/)
    await choose('certDer', DER)
    expect(await choose('certKey', KEY)).toBe('signPri.key 파일을 보낼 준비가 되었습니다.')
    at('code').value = '000000'
    expect(await sendAndHear()).toMatch(/^코드가 올바르지 않거나 만료되었습니다/)
    at('code').value = (await phone.open()).code
    expect(await sendAndHear()).toMatch(/^보냈습니다/)
  })

  it.each([
    ['session_cancelled', '취소된 코드입니다.'],
    ['session_expired', '코드가 만료되었습니다.'],
    ['session_delivered', '이미 휴대폰으로 인증서를 전달한 코드입니다.'],
    ['session_changed', '그사이 휴대폰의 상태가 바뀌었습니다.'],
    ['already_uploaded', '이미 인증서를 보낸 코드입니다.'],
    ['too_many_guesses', '코드를 확인하는 요청이 너무 많습니다.'],
    ['too_much_held', '휴대폰이 아직 받지 않은 인증서가 너무 많습니다.'],
    ['workspace_moving', '처리하지 못했습니다.'],
  ])('gives the reason in Korean: %s', async (reason, sentence) => {
    load('ko')
    await choose('certDer', DER)
    await choose('certKey', KEY)
    refusal = { error: 'A message of the server.', code: reason }
    at('code').value = '000000'
    expect((await sendAndHear()).startsWith(sentence)).toBe(true)
  })

  it.each(['１２３４５６', '123-456', '123 456'])('reads the code %s', async (typed) => {
    at('code').value = typed
    expect(await sendAndHear()).toMatch(/both files/)
  })
})
