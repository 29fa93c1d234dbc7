const { compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages } = require("threadfold");

import("../fold.js")
  .then(({ fold }) => fold({ compact, countTokens, foldMessages, init, loadTokenizer, Session, validateMessages }))
  .then((outcome) => console.log(JSON.stringify(outcome)));
