import { defineMessages } from '../language/messages.ts'

export const messages = defineMessages({
  about: {
    en: 'Who changed people, tokens, secrets, deployments and settings, when and from where.',
    ko: '사람, 토큰, 비밀 값, 배포, 설정을 누가 언제 어디서 변경했는지 보여 줍니다.',
  },
  who: { en: 'Actor', ko: '사용자' },
  what: { en: 'Action', ko: '활동' },
  credential: { en: 'Credential', ko: '인증 수단' },
  address: { en: 'IP address', ko: 'IP 주소' },
  kind: {
    en: (kind: string) =>
      ({
        session: 'session',
        api_token: 'token',
        customer_key: 'customer key',
        api_key: 'API key',
        cli: 'command line',
      })[kind] ?? kind,
    ko: (kind: string) =>
      ({
        session: '세션',
        api_token: '토큰',
        customer_key: '고객 키',
        api_key: 'API 키',
        cli: '명령줄',
      })[kind] ?? kind,
  },
  only: {
    en: (text: string) => `Filter by ${text}`,
    ko: (text: string) => `${text} 값으로 필터링`,
  },
  none: { en: 'No entries yet', ko: '아직 기록이 없습니다' },
  noneText: {
    en: 'Entries appear here when someone deploys, invites a person or creates a token.',
    ko: '배포, 초대, 토큰 발급 같은 변경이 생기면 여기에 나타납니다.',
  },
  noMatch: { en: 'No matching entries', ko: '필터에 맞는 기록이 없습니다' },
  noMatchText: {
    en: 'Actor and action must match exactly, for example “mina@example.com” or “token.revoked”. Click one in the list to filter by it.',
    ko: '사용자와 활동은 전체가 일치해야 합니다. 예: “mina@example.com”, “token.revoked”. 목록에서 값을 누르면 그 값으로 필터링됩니다.',
  },
})
