import { defineMessages, plural } from '../../language/messages.ts'

export const messages = defineMessages({
  history: { en: 'Workers over time', ko: '워커 이력' },
  overTime: { en: 'Over time', ko: '추이' },
  jobsOverTime: {
    en: (n: number) => `${n} ${plural(n, 'job', 'jobs')} over this time`,
    ko: (n: number) => `이 기간의 작업 ${n}개`,
  },
  failed: { en: 'Failed', ko: '실패' },
  firstJob: { en: 'First job', ko: '첫 작업' },
  lastJob: { en: 'Last job', ko: '마지막 작업' },
  noHistory: {
    en: 'No worker ran a job of this workspace in this period.',
    ko: '이 기간에 이 워크스페이스의 작업을 실행한 워커가 없습니다.',
  },
  noneOfNewest: {
    en: 'No worker has run one of the newest jobs yet.',
    ko: '최근 작업을 실행한 워커가 아직 없습니다.',
  },
  estimated: {
    en: 'Where an interval has more than 500 jobs, its newest 500 stand for all of them.',
    ko: '한 구간의 작업이 500개를 넘으면 최근 500개의 비율로 계산합니다.',
  },
})
