import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'Certificate relay', ko: '인증서 중계' },
  about: {
    en: 'Moves a certificate from a desktop to a phone that waits for it. It is kept encrypted, and only until it is delivered.',
    ko: '데스크톱의 공동인증서를 기다리는 휴대폰으로 옮깁니다. 암호화된 상태로, 전달될 때까지만 보관됩니다.',
  },
  open: { en: 'Open the desktop page', ko: '데스크톱 페이지 열기' },
  newTab: { en: 'opens in a new tab', ko: '새 탭에서 열림' },
  how: { en: 'How it goes', ko: '진행 순서' },
  one: {
    en: 'The app on the phone opens a session with an API key, and shows its code of six digits.',
    ko: '휴대폰 앱이 API 키로 세션을 열고 6자리 코드를 표시합니다.',
  },
  two: {
    en: 'Whoever has the certificate opens the desktop page on that computer, enters the code, and picks signCert.der and signPri.key. No account is needed there.',
    ko: '인증서가 있는 컴퓨터에서 데스크톱 페이지를 열어 코드를 입력하고 signCert.der와 signPri.key를 선택합니다. 계정은 필요 없습니다.',
  },
  three: {
    en: 'The phone gets both, once. Then they are overwritten here.',
    ko: '휴대폰이 두 파일을 한 번만 받아 가며, 이후 서버에서는 덮어써집니다.',
  },
  address: { en: 'The address to give to people', ko: '사용자에게 안내할 주소' },
  session: { en: 'What the app calls first', ko: '앱이 처음 호출하는 API' },
  keys: { en: 'API keys', ko: 'API 키' },
})
