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
  /** By status, in place of the server's message. */
  refusals: Readonly<Record<number, string>>
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
      404: '코드가 올바르지 않거나 만료되었습니다. 휴대폰에 표시된 코드를 확인하세요.',
      409: '이미 인증서를 보낸 코드입니다. 휴대폰에서 다시 시작하세요.',
      410: '코드가 만료되었습니다. 휴대폰에서 다시 시작하세요.',
      429: '잘못된 코드를 너무 많이 입력했습니다. 1분 뒤에 다시 시도하세요.',
    },
    sixDigits: '휴대폰에 표시된 여섯 자리 숫자를 입력하세요.',
    bothFiles: 'signCert.der와 signPri.key 두 파일을 모두 고르세요.',
    sending: '보내는 중…',
    sent: '보냈습니다. 나머지는 휴대폰에서 진행됩니다. 이 페이지를 닫아도 됩니다.',
  },
}
