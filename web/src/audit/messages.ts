import { defineMessages } from '../language/messages.ts'
import type { Span } from './search.ts'

export const messages = defineMessages({
  title: { en: 'Audit log', ko: '감사 로그' },
  about: {
    en: 'Every change of people, tokens, secrets, deployments and settings: who, what, from where.',
    ko: '사람, 토큰, 시크릿, 배포, 설정의 모든 변경 기록입니다. 누가, 무엇을, 어디서 했는지 남습니다.',
  },
  who: { en: 'Who', ko: '누가' },
  what: { en: 'What', ko: '무엇을' },
  target: { en: 'To what', ko: '대상' },
  credential: { en: 'By', ko: '인증 수단' },
  address: { en: 'From', ko: '접속 주소' },
  when: { en: 'When', ko: '시각' },
  span: { en: 'Time', ko: '기간' },
  any: { en: 'Any', ko: '전체' },
  spans: {
    en: (span: Span) =>
      ({
        '1h': 'Last hour',
        '24h': 'Last 24 hours',
        '7d': 'Last 7 days',
        '30d': 'Last 30 days',
        '90d': 'Last 90 days',
      })[span],
    ko: (span: Span) =>
      ({
        '1h': '최근 1시간',
        '24h': '최근 24시간',
        '7d': '최근 7일',
        '30d': '최근 30일',
        '90d': '최근 90일',
      })[span],
  },
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
    en: (text: string) => `Only entries of ${text}`,
    ko: (text: string) => `${text} 기록만 보기`,
  },
  none: { en: 'Nothing was changed yet', ko: '아직 기록이 없습니다' },
  noneText: {
    en: 'Entries appear here as soon as somebody deploys, invites, or makes a token.',
    ko: '배포, 초대, 토큰 발급 같은 변경이 생기면 여기에 나타납니다.',
  },
  noMatch: { en: 'No entry fits these filters', ko: '필터에 맞는 기록이 없습니다' },
  noMatchText: {
    en: 'Who and what are compared as a whole: “mina@example.com”, “token.revoked”. A press on an entry’s name or act filters by it.',
    ko: '누가·무엇을은 전체가 일치해야 합니다. 예: “mina@example.com”, “token.revoked”. 목록에서 이름이나 동작을 누르면 그 값으로 걸러집니다.',
  },
})
