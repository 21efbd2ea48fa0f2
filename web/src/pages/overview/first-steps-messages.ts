import { defineMessages } from '../../language/messages.ts'

export const messages = defineMessages({
  firstSteps: { en: 'First steps', ko: '시작하기' },
  progress: {
    en: (done: number, all: number) => `${done} of ${all} done`,
    ko: (done: number, all: number) => `${all}개 중 ${done}개 완료`,
  },
  done: { en: 'Done:', ko: '완료:' },
  hide: { en: 'Hide', ko: '숨기기' },
  deploy: { en: 'Deploy an app', ko: '앱 배포' },
  deployText: {
    en: 'Run this in a terminal, or let this page make an example app that you can edit.',
    ko: '터미널에서 아래 명령을 실행하거나, 수정해 볼 수 있는 예제 앱을 여기서 만드세요.',
  },
  makeExample: { en: 'Make an example app', ko: '예제 앱 만들기' },
  otherWays: { en: 'Other ways to deploy', ko: '다른 배포 방법' },
  made: { en: 'Example app deployed', ko: '예제 앱을 배포했습니다' },
  notMade: { en: 'Could not make the example app', ko: '예제 앱을 만들지 못했습니다' },
  runStep: { en: 'Run an action', ko: '액션 실행' },
  runText: {
    en: 'An action is a piece of code that an app offers. Its page has a form for the input.',
    ko: '액션은 앱이 제공하는 코드입니다. 액션 페이지에서 입력을 작성해 실행할 수 있습니다.',
  },
  runButton: {
    en: (name: string) => `Open ${name}`,
    ko: (name: string) => `${name} 열기`,
  },
  logStep: { en: 'Read the log of a job', ko: '작업 로그 확인' },
  logText: {
    en: 'Each run is a job. It keeps its input, result and log.',
    ko: '실행할 때마다 작업이 생기며 입력, 결과, 로그가 남습니다.',
  },
  logButton: { en: 'Open the latest log', ko: '최근 로그 열기' },
  schedule: { en: 'Add a schedule', ko: '일정 추가' },
  scheduleText: {
    en: 'A schedule runs an action or a flow at set times.',
    ko: '일정은 정해진 시각에 액션이나 플로우를 실행합니다.',
  },
  scheduleButton: { en: 'New schedule', ko: '새 일정' },
  invite: { en: 'Invite a person', ko: '멤버 초대' },
  inviteText: {
    en: 'People sign in with their own password and see this workspace.',
    ko: '초대받은 사람은 자신의 비밀번호로 로그인해 이 워크스페이스를 함께 사용합니다.',
  },
  inviteButton: { en: 'Open members', ko: '멤버 페이지 열기' },
})
