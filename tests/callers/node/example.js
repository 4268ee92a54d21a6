import process from 'node:process'
import { Core } from './corecall.js'

const library = new Core(process.argv[2], '{"path":":memory:"}') // libcorecall.so; or a file in place of :memory:
async function call(operation, payload) {
  const { status, json } = await library.call(operation, payload)
  if (status !== 0) throw new Error(json)
  console.log(`${operation}: ${json}`)
  return JSON.parse(json).result
}

// Remember a fact, supersede it, link another to it. A title names its memory, as its id does.
const old = await call('remember', { title: 'Deploy day', content: 'Deploys run every Friday.' })
await call('remember', {
  title: 'New deploy day',
  content: 'Deploys run on Tuesdays, after the smoke tests.',
  supersedes: old.id
})
await call('remember', { title: 'Undo', content: 'make undo rolls a release back.', see_also: ['New deploy day'] })

// The old fact is found by its words, marked as superseded; the new one stands beside it, among `related`.
await call('recall', { text: 'deploys every Friday', limit: 1 })
await call('relations', { id: 'New deploy day' })
library.close()
