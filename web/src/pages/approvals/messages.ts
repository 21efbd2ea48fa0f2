import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  whose: { en: 'Show', ko: '표시' },
  mine: { en: 'Waiting for me', ko: '내가 승인할 항목' },
  all: { en: 'All pending', ko: '대기 중인 모든 항목' },
  list: { en: 'Pending approvals', ko: '대기 중인 승인' },
  none: { en: 'Nothing to approve', ko: '승인할 항목이 없습니다' },
  noneText: {
    en: 'Approvals that you can answer appear here automatically.',
    ko: '내가 답할 수 있는 승인이 생기면 여기에 자동으로 나타납니다.',
  },
  othersWait: {
    en: (count: number, hasMore: boolean) =>
      count === 1
        ? '1 run waits for the answer of another person.'
        : `${count}${hasMore ? '+' : ''} runs wait for the answers of other people.`,
    ko: (count: number, hasMore: boolean) =>
      `다른 사람의 답을 기다리는 실행이 ${count}개${hasMore ? ' 이상' : ''} 있습니다.`,
  },
  showAll: { en: 'Show all pending', ko: '대기 중인 모든 항목 보기' },
  noneAtAll: { en: 'No pending approvals', ko: '승인을 기다리는 실행이 없습니다' },
  noneAtAllText: {
    en: 'A step with kind: approval pauses a run until people answer. In app.yaml:',
    ko: 'kind: approval 단계는 사람이 답할 때까지 실행을 멈춥니다. app.yaml 예:',
  },
  openRun: { en: 'Open the run', ko: '실행 열기' },
  review: { en: 'Review and answer', ko: '검토하고 답하기' },
  before: { en: 'Result of the previous step', ko: '이전 단계의 결과' },
  startInput: { en: 'Start input', ko: '시작 입력' },
})
