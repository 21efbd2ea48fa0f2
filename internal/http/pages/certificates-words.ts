/** The texts of the script of the certificate relay's page. */
import type { Language } from './page-language.ts'

export type CertificatesWords = Readonly<{
  empty: string
  tooLarge: string
  noCertificate: string
  notTheKey: string
  noKey: string
  unreadable: string
  expired: (date: string) => string
  ready: (name: string) => string
  unreachable: string
  failed: string
  /** By error code, in place of the server's message. */
  refusals: Readonly<Record<string, string>>
  /** Whether the server's messages, which are English, are in the language of the page. */
  isOfServer: boolean
  sixDigits: string
  bothFiles: string
  sending: string
  sent: string
}>

export const CERTIFICATES_WORDS: Readonly<Record<Language, CertificatesWords>> = {
  en: {
    empty: 'This file is empty.',
    tooLarge: 'This file is larger than 200 KB: it is another one.',
    noCertificate: 'This is not a certificate. Choose signCert.der.',
    notTheKey: 'This is the certificate, not its key. Choose signPri.key.',
    noKey: 'This is not a private key in DER. Choose signPri.key.',
    unreadable: 'This file cannot be read.',
    expired: (date) => `${date}: it has expired`,
    ready: (name) => `${name} is ready.`,
    unreachable: 'svc does not answer. Check the connection and try again.',
    failed: 'That did not work. Try again.',
    refusals: {},
    isOfServer: true,
    sixDigits: 'Enter the six digits that the phone shows.',
    bothFiles: 'Choose both files: signCert.der and signPri.key.',
    sending: 'Sending…',
    sent: 'Sent. The phone takes it from here; this page can be closed.',
  },
  ko: {
    empty: '빈 파일입니다.',
    tooLarge: '200KB보다 큰 파일입니다. 다른 파일을 고르세요.',
    noCertificate: '인증서가 아닙니다. signCert.der 파일을 고르세요.',
    notTheKey: '개인키가 아니라 인증서입니다. signPri.key 파일을 고르세요.',
    noKey: 'DER 형식의 개인키가 아닙니다. signPri.key 파일을 고르세요.',
    unreadable: '파일을 읽을 수 없습니다.',
    expired: (date) => `${date} (만료됨)`,
    ready: (name) => `${name} 파일을 보낼 준비가 되었습니다.`,
    unreachable: 'svc가 응답하지 않습니다. 연결을 확인하고 다시 시도하세요.',
    failed: '처리하지 못했습니다. 다시 시도하세요.',
    refusals: {
      code_not_found: '코드가 올바르지 않거나 만료되었습니다. 휴대폰에 표시된 코드를 확인하세요.',
      session_not_found:
        '코드가 올바르지 않거나 만료되었습니다. 휴대폰에 표시된 코드를 확인하세요.',
      session_expired: '코드가 만료되었습니다. 휴대폰에서 다시 시작하세요.',
      session_cancelled: '취소된 코드입니다. 휴대폰에서 다시 시작하세요.',
      session_delivered: '이미 휴대폰으로 인증서를 전달한 코드입니다. 휴대폰을 확인하세요.',
      session_changed: '그사이 휴대폰의 상태가 바뀌었습니다. 다시 시도하세요.',
      already_uploaded: '이미 인증서를 보낸 코드입니다. 휴대폰을 확인하세요.',
      too_many_guesses: '코드를 확인하는 요청이 너무 많습니다. 1분 뒤에 다시 시도하세요.',
      too_much_held: '휴대폰이 아직 받지 않은 인증서가 너무 많습니다. 잠시 뒤에 다시 시도하세요.',
    },
    isOfServer: false,
    sixDigits: '휴대폰에 표시된 여섯 자리 숫자를 입력하세요.',
    bothFiles: 'signCert.der와 signPri.key 두 파일을 모두 고르세요.',
    sending: '보내는 중…',
    sent: '보냈습니다. 나머지는 휴대폰에서 진행됩니다. 이 페이지를 닫아도 됩니다.',
  },
}
