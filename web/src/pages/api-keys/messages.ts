import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  title: { en: 'API keys', ko: 'API 키' },
  about: {
    en: 'For the document parser and the certificate relay, and nothing else. Paid calls are charged to the workspace’s balance.',
    ko: '문서 파서와 인증서 중계 전용 키입니다. 유료 호출은 워크스페이스 잔액에서 차감됩니다.',
  },
  balance: { en: 'Balance', ko: '잔액' },
  suspended: {
    en: 'This workspace is suspended: paid calls are refused. Ask whoever runs the instance.',
    ko: '이 워크스페이스는 정지되어 유료 호출이 거부됩니다. 운영자에게 문의하세요.',
  },
  empty: {
    en: 'The balance does not cover another certificate. Whoever runs the instance adds credit.',
    ko: '잔액이 부족해 다음 호출이 거부됩니다. 운영자에게 충전을 요청하세요.',
  },
  add: { en: 'New API key', ko: '새 API 키' },
  create: { en: 'Create API key', ko: 'API 키 만들기' },
  name: { en: 'Name', ko: '이름' },
  nameHint: { en: 'What will use it: “mobile app”.', ko: '사용처를 적어 두세요. 예: “모바일 앱”' },
  state: { en: 'State', ko: '상태' },
  id: { en: 'Key id', ko: '키 ID' },
  by: { en: 'Created by', ko: '생성한 사람' },
  created: { en: 'Created', ko: '생성' },
  revokedAt: { en: 'Revoked', ko: '폐기' },
  theKey: { en: 'The API key', ko: 'API 키' },
  use: { en: 'It is sent like this:', ko: '다음과 같이 보냅니다.' },
  playground: { en: 'Try it on a certificate now', ko: '지금 증명서로 시험해 보기' },
  notCreated: { en: 'The key was not made', ko: '키를 만들지 못했습니다' },
  revoke: { en: 'Revoke', ko: '폐기' },
  revokeTitle: {
    en: (name: string) => `Revoke “${name}”?`,
    ko: (name: string) => `“${name}” 키를 폐기할까요?`,
  },
  revokeText: {
    en: 'Calls with it are refused at once. This cannot be undone.',
    ko: '이 키를 쓰는 호출은 즉시 거부되며 되돌릴 수 없습니다.',
  },
  revoked: { en: 'The key was revoked', ko: '키를 폐기했습니다' },
  notRevoked: { en: 'The key was not revoked', ko: '키를 폐기하지 못했습니다' },
  none: { en: 'No API keys yet', ko: '아직 API 키가 없습니다' },
  noneText: {
    en: 'Make one to read certificates, or to move them to a phone. Then:',
    ko: '증명서를 읽거나 휴대폰으로 옮기려면 키를 만드세요. 호출 방법:',
  },
})
