import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'Moves a certificate from a desktop to a waiting phone. It is stored encrypted, and only until delivery.',
    ko: '데스크톱의 공동인증서를 휴대폰으로 옮깁니다. 암호화된 상태로 전달될 때까지만 보관합니다.',
  },
  open: { en: 'Open the desktop page', ko: '데스크톱 페이지 열기' },
  newTab: { en: 'opens in a new tab', ko: '새 탭에서 열림' },
  how: { en: 'How it works', ko: '진행 순서' },
  one: {
    en: 'The phone app opens a session with an API key and shows a six-digit code.',
    ko: '휴대폰 앱이 API 키로 세션을 열고 6자리 코드를 표시합니다.',
  },
  two: {
    en: 'On the computer with the certificate, open the desktop page, enter the code and choose signCert.der and signPri.key. No account is needed.',
    ko: '인증서가 있는 컴퓨터에서 데스크톱 페이지를 열어 코드를 입력하고 signCert.der와 signPri.key를 선택합니다. 계정은 필요 없습니다.',
  },
  three: {
    en: 'The phone receives both files once. The server then overwrites them.',
    ko: '휴대폰이 두 파일을 한 번만 받아 가며, 그 뒤 서버는 파일을 덮어씁니다.',
  },
  address: { en: 'Address to share', ko: '사용자에게 안내할 주소' },
  session: { en: 'First API call of the app', ko: '앱이 처음 호출하는 API' },
  keys: { en: 'API keys', ko: 'API 키' },
})
