import { defineMessages, plural } from '../../language/messages.ts'

export const shareMessages = defineMessages({
  share: { en: 'Share', ko: '공유' },
  title: { en: 'Share this job', ko: '작업 공유' },
  about: {
    en: 'Whoever has the link reads status, result and log, without an account. The input is never shown.',
    ko: '링크가 있으면 계정 없이 상태, 결과, 로그를 볼 수 있습니다. 입력은 보이지 않습니다.',
  },
  lifetime: { en: 'The link holds', ko: '유효 기간' },
  hours: {
    en: (n: number) =>
      `${n % 24 === 0 && n > 24 ? n / 24 : n} ${n % 24 === 0 && n > 24 ? 'days' : plural(n, 'hour', 'hours')}`,
    ko: (n: number) => (n % 24 === 0 && n > 24 ? `${n / 24}일` : `${n}시간`),
  },
  make: { en: 'Make a link', ko: '링크 만들기' },
  link: { en: 'The link', ko: '공유 링크' },
  linkNote: {
    en: 'It answers JSON; add /result or /logs for those alone.',
    ko: 'JSON으로 응답합니다. 결과나 로그만 보려면 /result 또는 /logs를 붙이세요.',
  },
  notShared: { en: 'The job was not shared', ko: '작업을 공유하지 못했습니다' },
  links: { en: 'Links that open it now', ko: '현재 유효한 링크' },
  expires: { en: 'expires', ko: '만료' },
  revoke: { en: 'Revoke', ko: '폐기' },
  revokeOf: {
    en: (prefix: string) => `Revoke svcv_${prefix}`,
    ko: (prefix: string) => `svcv_${prefix} 폐기`,
  },
  revokeAll: { en: 'Revoke all', ko: '모두 폐기' },
  allRevoked: { en: 'No link opens this job any more', ko: '모든 공유 링크를 폐기했습니다' },
  notRevoked: { en: 'The link was not revoked', ko: '링크를 폐기하지 못했습니다' },
})
