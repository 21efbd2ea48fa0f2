/**
 * The certificate relay's page for desktops. The page's own script, which its policy allows by hash, reads the files;
 * without scripts the page shows what to do instead.
 */
import { html } from 'hono/html'
import { CERTIFICATES_SCRIPT } from './certificates-script.gen.ts'
import { toPageResponse } from './page.ts'
import type { Language } from './page-language.ts'

type Words = Readonly<{
  title: string
  about: string
  noScript: string
  code: string
  codeHint: string
  certificate: string
  key: string
  drop: string
  chosen: string
  holder: string
  issuer: string
  until: string
  send: string
}>

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    title: 'Send a certificate to your phone',
    about:
      'Start the import on the phone: it shows a code of six digits for some minutes. The certificate goes to that phone alone, encrypted on its way, and is kept only until the phone has it. Its password is never requested.',
    noScript:
      'This page reads the two files with a script, and scripts are off in this browser. Allow them for this page and load it again, or use another browser.',
    code: 'Code',
    codeHint: 'six digits, on the phone',
    certificate: 'Certificate',
    key: 'Private key',
    drop: 'Or drop both files anywhere on this page.',
    chosen: 'The chosen certificate',
    holder: 'Holder',
    issuer: 'Issuer',
    until: 'Valid until',
    send: 'Send to the phone',
  },
  ko: {
    title: '휴대폰으로 인증서 보내기',
    about:
      '휴대폰에서 인증서 가져오기를 시작하면 몇 분 동안 여섯 자리 코드가 표시됩니다. 인증서는 암호화되어 그 휴대폰으로만 전송되고, 휴대폰이 받을 때까지만 보관됩니다. 인증서 비밀번호는 묻지 않습니다.',
    noScript:
      '이 페이지는 스크립트로 두 파일을 읽는데, 이 브라우저에서는 스크립트가 꺼져 있습니다. 스크립트를 허용한 뒤 다시 열거나 다른 브라우저를 사용하세요.',
    code: '코드',
    codeHint: '휴대폰에 표시된 여섯 자리 숫자',
    certificate: '인증서',
    key: '개인키',
    drop: '두 파일을 이 페이지에 끌어다 놓아도 됩니다.',
    chosen: '선택한 인증서',
    holder: '소유자',
    issuer: '발급자',
    until: '만료일',
    send: '휴대폰으로 보내기',
  },
}

export const certificatesPage = (language: Language): Promise<Response> => {
  const t = WORDS[language]
  return toPageResponse({
    title: t.title,
    language,
    script: CERTIFICATES_SCRIPT,
    content: html`<p>${t.about}</p>
<noscript><p class="fault">${t.noScript}</p></noscript>
<form id="relay" hidden novalidate autocomplete="off">
<label for="code">${t.code} <span class="hint">${t.codeHint}</span></label>
<input id="code" inputmode="numeric" maxlength="11" required aria-describedby="said">
<label for="certDer">${t.certificate} <span class="hint">signCert.der</span></label>
<input id="certDer" type="file" accept=".der,.cer,.crt" required aria-describedby="certDer-name">
<p id="certDer-name" class="hint" role="status"></p>
<label for="certKey">${t.key} <span class="hint">signPri.key</span></label>
<input id="certKey" type="file" accept=".key,.der" required aria-describedby="certKey-name">
<p id="certKey-name" class="hint" role="status"></p>
<p class="hint">${t.drop}</p>
<section id="seen" hidden aria-live="polite" aria-label="${t.chosen}">
<dl><dt>${t.holder}</dt><dd id="subject"></dd><dt>${t.issuer}</dt><dd id="issuer"></dd><dt>${t.until}</dt><dd id="until"></dd></dl>
</section>
<button id="send">${t.send}</button>
</form>
<p id="said" role="status" tabindex="-1"></p>`,
  })
}
