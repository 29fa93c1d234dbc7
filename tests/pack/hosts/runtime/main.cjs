const { compact, foldMessages, init, Session, validateMessages } = require("threadfold");

import("../fold.js")
  .then(({ fold }) => fold({ compact, foldMessages, init, Session, validateMessages }))
  .then((outcome) => console.log(JSON.stringify(outcome)));
