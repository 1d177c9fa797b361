//! The messages between a page and the worker that runs the engine.
//!
//! A page sends [`NumberedRequest`], one [`Request`] with its number; the worker sends [`Message`]s. Both are declared here
//! and nowhere else: the page's TypeScript types are generated from them, and requests are read by [`NumberedRequest::read`],
//! which refuses everything that is not exactly a request. Messages are not checked: page and worker are of one build
//! (decision 82).

mod call;
mod event;
mod message;
mod request;

pub use call::{CallState, CurrentOptions, SliceState, Wanted, Work};
pub use event::{MarkedStep, MergeStep, WireEvent, WireTouch};
pub use message::{Arrival, Message, Sample, StorageKind};
pub use request::{
    BYTES_MAX, FILES_MAX, FileOffer, FileOffers, NAME_UNITS_MAX, NumberedRequest, PlayGrain, Rate,
    Request, Settings, StorageWish, Text,
};
