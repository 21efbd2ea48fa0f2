import { defineMessages, plural } from '../../../language/messages.ts'

export const shareMessages = defineMessages({
  share: { en: 'Share', ko: '공유' },
  title: { en: 'Share this job', ko: '작업 공유' },
  about: {
    en: 'Anyone with the link can see status, result and log without an account. The input is never shown.',
    ko: '링크가 있으면 계정 없이 상태, 결과, 로그를 볼 수 있습니다. 입력은 보이지 않습니다.',
  },
  lifetime: { en: 'Link expires after', ko: '유효 기간' },
  hours: {
    en: (n: number) =>
      `${n % 24 === 0 && n > 24 ? n / 24 : n} ${n % 24 === 0 && n > 24 ? 'days' : plural(n, 'hour', 'hours')}`,
    ko: (n: number) => (n % 24 === 0 && n > 24 ? `${n / 24}일` : `${n}시간`),
  },
  make: { en: 'Create link', ko: '링크 만들기' },
  link: { en: 'Link', ko: '공유 링크' },
  linkNote: {
    en: 'It returns JSON. Add /result or /logs for only those.',
    ko: 'JSON으로 응답합니다. 결과나 로그만 보려면 /result 또는 /logs를 붙이세요.',
  },
  notShared: { en: 'Could not share the job', ko: '작업을 공유하지 못했습니다' },
  links: { en: 'Active links', ko: '현재 유효한 링크' },
  expires: { en: 'expires', ko: '만료' },
  revokeOf: {
    en: (prefix: string) => `Revoke svcv_${prefix}`,
    ko: (prefix: string) => `svcv_${prefix} 폐기`,
  },
  revokeAll: { en: 'Revoke all', ko: '모두 폐기' },
  allRevoked: { en: 'All links revoked', ko: '모든 공유 링크를 폐기했습니다' },
  notRevoked: { en: 'Could not revoke the link', ko: '링크를 폐기하지 못했습니다' },
})
