import { defineMessages } from '../language/messages.ts'

export const messages = defineMessages({
  duration: { en: 'Duration', ko: '소요 시간' },
  wait: { en: 'Queue wait', ko: '대기 시간' },
  p50: { en: 'Median', ko: '중앙값' },
  p95: { en: '95th percentile', ko: '95백분위' },
  none: { en: 'No jobs in this period.', ko: '이 기간에 작업이 없습니다.' },
  counted: {
    en: (runs: string, failures: string) =>
      `${runs} ${runs === '1' ? 'run' : 'runs'}, ${failures} failed`,
    ko: (runs: string, failures: string) => `실행 ${runs}회 중 ${failures}회 실패`,
  },
  countedAtLeast: {
    en: (runs: string, failures: string) => `At least ${runs} runs, at least ${failures} failed`,
    ko: (runs: string, failures: string) => `실행 ${runs}회 이상 중 ${failures}회 이상 실패`,
  },
  highest: {
    en: (p50: string, p95: string) => `Highest median ${p50}, highest 95th percentile ${p95}`,
    ko: (p50: string, p95: string) => `가장 높은 중앙값 ${p50}, 95백분위 ${p95}`,
  },
  noTimes: { en: 'No times yet.', ko: '아직 측정된 시간이 없습니다.' },
  estimated: {
    en: 'Where an interval has many jobs, its durations and waits come from the newest of them.',
    ko: '한 구간에 작업이 많으면 소요 시간과 대기 시간은 최근 작업만으로 계산합니다.',
  },
})
