import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'Keys for the document parser and the certificate relay. Paid calls are charged to the workspace balance.',
    ko: '문서 파서와 인증서 중계 전용 키입니다. 유료 호출은 워크스페이스 잔액에서 차감됩니다.',
  },
  suspended: {
    en: 'This workspace is suspended: paid calls are refused. Contact the instance operator.',
    ko: '이 워크스페이스는 정지되어 유료 호출이 거부됩니다. 운영자에게 문의하세요.',
  },
  empty: {
    en: 'The balance does not cover another certificate. Ask the instance operator to add credit.',
    ko: '잔액이 부족해 다음 호출이 거부됩니다. 운영자에게 충전을 요청하세요.',
  },
  add: { en: 'New API key', ko: '새 API 키' },
  create: { en: 'Create API key', ko: 'API 키 만들기' },
  nameHint: {
    en: 'Where you will use it, for example “mobile app”.',
    ko: '사용처를 적어 두세요. 예: “모바일 앱”',
  },
  id: { en: 'Key ID', ko: '키 ID' },
  theKey: { en: 'Your new API key', ko: 'API 키' },
  use: { en: 'Send it like this:', ko: '다음과 같이 보냅니다.' },
  playground: { en: 'Try it with a certificate', ko: '지금 증명서로 시험해 보기' },
  notCreated: { en: 'Could not create the key', ko: '키를 만들지 못했습니다' },
  revokeTitle: {
    en: (name: string) => `Revoke “${name}”?`,
    ko: (name: string) => `“${name}” 키를 폐기할까요?`,
  },
  revokeText: {
    en: 'Calls with this key fail at once. This cannot be undone.',
    ko: '이 키를 쓰는 호출은 즉시 거부되며 되돌릴 수 없습니다.',
  },
  revoked: { en: 'Key revoked', ko: '키를 폐기했습니다' },
  notRevoked: { en: 'Could not revoke the key', ko: '키를 폐기하지 못했습니다' },
  none: { en: 'No API keys yet', ko: '아직 API 키가 없습니다' },
  noneText: {
    en: 'Create one to read certificates or to move them to a phone. Then:',
    ko: '증명서를 읽거나 휴대폰으로 옮기려면 키를 만드세요. 호출 방법:',
  },
})
