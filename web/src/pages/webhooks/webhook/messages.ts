import { defineMessages } from '../../../language/messages.ts'

export const messages = defineMessages({
  addressText: {
    en: 'Enter this address at the sender.',
    ko: '보내는 서비스에 이 주소를 등록하세요.',
  },
  verification: { en: 'Verification', ko: '인증' },
  deployedBy: { en: 'Runs as', ko: '실행 권한' },
  secrets: { en: 'Secret', ko: '비밀 값' },
  isSet: { en: 'set', ko: '설정됨' },
  isNotSet: { en: 'not set', ko: '설정되지 않음' },
  open: {
    en: 'This webhook has no verification: anyone who knows the address can call it.',
    ko: '인증이 없는 웹훅입니다. 주소를 아는 사람은 누구나 호출할 수 있습니다.',
  },
  setSecret: {
    en: 'Save the secret that the sender shows as a workspace variable:',
    ko: '보내는 서비스에 표시되는 비밀 값을 워크스페이스 변수로 저장하세요.',
  },
  toVariables: { en: 'Open variables', ko: '변수 열기' },
  deliveries: { en: 'Last 50 deliveries', ko: '최근 수신 50건' },
  noDeliveries: { en: 'Nothing was delivered yet.', ko: '아직 수신한 요청이 없습니다.' },
  answer: { en: 'Response', ko: '응답' },
  started: { en: 'Started', ko: '실행 결과' },
  replayed: { en: 'Delivery replayed', ko: '다시 실행했습니다' },
  notReplayed: { en: 'Could not replay the delivery', ko: '다시 실행하지 못했습니다' },
  missing_signature: { en: 'no signature', ko: '서명 없음' },
  malformed_signature: { en: 'malformed signature', ko: '서명 형식 오류' },
  wrong_signature: { en: 'wrong signature', ko: '서명 불일치' },
  stale_timestamp: { en: 'timestamp too far off', ko: '허용 시각 초과' },
  missing_variable: { en: 'variable not set', ko: '변수 미설정' },
  duplicate: { en: 'repeated delivery', ko: '중복 수신' },
  challenge: { en: 'address verified by the sender', ko: '보내는 서비스의 주소 확인' },
  job_failed: { en: 'the job failed', ko: '작업 실패' },
})
